import { message, type Message } from '#contract/messages.ts';
import { objectOrEmpty, type JsonObject } from '../../../platform/lib/untrusted.ts';
import { linesOfEntry } from '../../../platform/files/zip.ts';

/** A document with its id. */
export interface BulkPair {
  id: string;
  doc: JsonObject;
}

const isAction = (value: JsonObject) => {
  const keys = Object.keys(value);
  return keys.length === 1 && keys[0] === 'index' && typeof objectOrEmpty(value['index'])['_id'] === 'string';
};

/**
 * Reads the documents of one part, which are pairs of lines: an action that names the document, then the document. Reports and
 * skips unreadable pairs.
 */
export async function* readBulkPairs(
  chunks: AsyncIterable<Buffer>,
  { index, name, problem }: { index: string; name: string; problem(what: string, why: Message): void },
): AsyncGenerator<BulkPair & { characters: number }> {
  let id: string | null = null;
  let number = 0;
  for await (const line of linesOfEntry(chunks)) {
    number++;
    const place = `${name}, line ${number}`;
    const where = message('restore.line', { line: number, name });
    if (line === null) {
      problem(id ?? place, message('restore.entry-too-long'));
      id = null;
      continue;
    }
    if (line.trim() === '') continue;
    let value: JsonObject;
    try {
      value = objectOrEmpty(JSON.parse(number === 1 ? line.replace(/^\ufeff/, '') : line)); // editors may write a byte order mark
    } catch {
      problem(id ?? place, message('restore.line-json', { where }));
      id = null;
      continue;
    }
    if (isAction(value)) {
      if (id !== null) problem(id, message('restore.no-document', { where }));
      const action = objectOrEmpty(value['index']);
      id = String(action['_id']).slice(0, 200);
      // `ta_video`, or `ta_video_v2` after a migration.
      if (!String(action['_index'] ?? `ta_${index}`).startsWith(`ta_${index}`)) {
        problem(id, message('restore.other-index', { where }));
        id = null;
      }
    } else if (id === null) problem(place, message('restore.no-document-id'));
    else {
      yield { id, doc: value, characters: line.length };
      id = null;
    }
  }
  if (id !== null) problem(id, message('restore.ends-early', { name }));
}
