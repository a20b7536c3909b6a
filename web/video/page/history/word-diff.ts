export interface Segment {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

// Cells of the comparison table: two texts of 2,000 changed words each. Longer ones are shown as replaced.
const maxCells = 4_000_000;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const wordsOf = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment);

/** Yields the words of both texts, by their longest common subsequence. */
function* compare(before: string[], after: string[]): Generator<Segment> {
  const [rows, columns] = [before.length, after.length];
  if (rows * columns > maxCells) {
    yield { kind: 'removed', text: before.join('') };
    yield { kind: 'added', text: after.join('') };
    return;
  }
  // Length of the longest common subsequence of the rest of both texts, from a word of each on.
  const width = columns + 1;
  const common = new Uint16Array((rows + 1) * width);
  for (let row = rows - 1; row >= 0; row--)
    for (let column = columns - 1; column >= 0; column--)
      common[row * width + column] =
        before[row] === after[column]
          ? common[(row + 1) * width + column + 1]! + 1
          : Math.max(common[(row + 1) * width + column]!, common[row * width + column + 1]!);
  let [row, column] = [0, 0];
  while (row < rows || column < columns) {
    if (row < rows && column < columns && before[row] === after[column]) {
      yield { kind: 'same', text: before[row]! };
      row++;
      column++;
    } else if (column === columns || (row < rows && common[(row + 1) * width + column]! >= common[row * width + column + 1]!))
      yield { kind: 'removed', text: before[row++]! };
    else yield { kind: 'added', text: after[column++]! };
  }
}

/**
 * Compares two texts word by word. Adjacent changes, and those with only spaces between them, are joined: first what was removed,
 * then what was added.
 */
export function diffWords(before: string, after: string): Segment[] {
  const [old, current] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < old.length && start < current.length && old[start] === current[start]) start++;
  let end = 0;
  const shorter = Math.min(old.length, current.length) - start;
  while (end < shorter && old.at(-1 - end) === current.at(-1 - end)) end++;

  const segments: Segment[] = [];
  const push = (kind: Segment['kind'], text: string) => {
    if (text === '') return;
    const last = segments.at(-1);
    if (last?.kind === kind) last.text += text;
    else segments.push({ kind, text });
  };
  let [removed, added, spaces] = ['', '', ''];
  const flush = () => {
    push('removed', removed);
    push('added', added);
    push('same', spaces);
    [removed, added, spaces] = ['', '', ''];
  };
  push('same', old.slice(0, start).join(''));
  for (const { kind, text } of compare(old.slice(start, old.length - end), current.slice(start, current.length - end))) {
    if (kind === 'same') {
      if (/^ +$/.test(text) && removed + added !== '') spaces += text;
      else {
        flush();
        push('same', text);
      }
      continue;
    }
    removed += spaces;
    added += spaces;
    spaces = '';
    if (kind === 'removed') removed += text;
    else added += text;
  }
  flush();
  push('same', old.slice(old.length - end).join(''));
  return segments;
}

const longestSame = 200;
const context = 60;

/** Shortens long unchanged parts to some words next to the changes. */
export const onlyChanges = (segments: Segment[]): Segment[] =>
  segments.map(({ kind, text }, index) => {
    if (kind !== 'same' || text.length <= longestSame) return { kind, text };
    const [isFirst, isLast] = [index === 0, index === segments.length - 1];
    const [start, end] = [text.slice(0, context).replace(/\S*$/, ''), text.slice(-context).replace(/^\S*/, '')];
    return { kind, text: `${isFirst ? '' : start}…${isLast ? '' : end}` };
  });
