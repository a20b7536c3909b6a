/**
 * Splits chunks of text into lines. Lines longer than `maxLength` are dropped, because they could fill the memory. A last line
 * without a line break counts.
 */
export function lineSplitter(maxLength: number) {
  let open = '';
  let skipping = false;

  function* feed(text: string): Generator<string> {
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      const isTooLong = skipping || open.length + end - from > maxLength;
      const line = isTooLong ? '' : open + text.slice(from, end);
      open = '';
      skipping = false;
      from = end + 1;
      if (!isTooLong) yield line.endsWith('\r') ? line.slice(0, -1) : line;
    }
    if (skipping) return;
    if (open.length + text.length - from > maxLength) {
      open = '';
      skipping = true;
    } else {
      open += text.slice(from);
    }
  }

  function* end(): Generator<string> {
    if (open && !skipping) yield open;
    open = '';
  }

  return { feed, end };
}
