/**
 * Cuts pieces of text into lines. A line of more than `maxLength` characters is left out whole: half of it would be
 * worse than nothing, and all of it could be the whole memory. A last line without its end counts.
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
