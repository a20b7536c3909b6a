import { asDoc, type Doc } from './original-values.ts';
import { linesIn } from './zip.ts';

/** A document under its id. */
export interface Pair {
  id: string;
  doc: Doc;
}

const isAction = (value: Doc) => {
  const keys = Object.keys(value);
  return keys.length === 1 && keys[0] === 'index' && typeof asDoc(value['index'])['_id'] === 'string';
};

/**
 * The documents of one part: lines in pairs, one that names the document and one that is it. What cannot be read is told, and
 * passed over: the next pair counts again.
 */
export async function* pairsIn(
  chunks: AsyncIterable<Buffer>,
  { index, name, problem }: { index: string; name: string; problem(what: string, why: string): void },
): AsyncGenerator<Pair & { characters: number }> {
  let id: string | null = null;
  let number = 0;
  for await (const line of linesIn(chunks)) {
    number++;
    const where = `${name}, line ${number}`;
    if (line === null) {
      problem(id ?? where, 'It is longer than 64 MB.');
      id = null;
      continue;
    }
    if (line.trim() === '') continue;
    let value: Doc;
    try {
      value = asDoc(JSON.parse(number === 1 ? line.replace(/^\ufeff/, '') : line)); // editors leave a mark at the beginning
    } catch {
      problem(id ?? where, `${where} is no JSON.`);
      id = null;
      continue;
    }
    if (isAction(value)) {
      if (id !== null) problem(id, `${where}: the document is missing.`);
      const action = asDoc(value['index']);
      id = String(action['_id']).slice(0, 200);
      // `ta_video`, or `ta_video_v2` after a migration.
      if (!String(action['_index'] ?? `ta_${index}`).startsWith(`ta_${index}`)) {
        problem(id, `${where} belongs to another index.`);
        id = null;
      }
    } else if (id === null) problem(where, 'It has no line that names it.');
    else {
      yield { id, doc: value, characters: line.length };
      id = null;
    }
  }
  if (id !== null) problem(id, `${name} ends before its document.`);
}
