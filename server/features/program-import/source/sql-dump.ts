import { message } from '#contract/messages.ts';
import { StringDecoder } from 'node:string_decoder';
import { MessageError } from '../../../platform/messages/message-error.ts';

// Reads the rows of a dump of MariaDB or MySQL (`mariadb-dump`, `mysqldump`) as a stream, one row in memory. Statements are never
// executed: only CREATE TABLE, for the order of the columns, and INSERT are understood.

export interface DumpedRow {
  table: string;
  row: Record<string, string | null>;
}

const maxCharacters = 4 * 1024 * 1024;
const insertHead =
  /^(?:INSERT|REPLACE)\s+(?:IGNORE\s+)?INTO\s+(?:[`"][^`"]+[`"]\.)?[`"]?([^`"\s(]+)[`"]?\s*(?:\(([^)]*)\)\s*)?VALUES\s*/i;
const escapes: Record<string, string> = { '0': '\0', b: '\b', n: '\n', r: '\r', t: '\t', Z: '\u001a' };

const [quote, doubleQuote, backtick, backslash, open, close] = [0x27, 0x22, 0x60, 0x5c, 0x28, 0x29];

/** Returns the index after a quoted text that starts at `at`; -1 if it does not end here. */
function endOfQuoted(text: string, at: number): number {
  const mark = text.charCodeAt(at);
  for (let next = at + 1; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code === backslash && mark !== backtick) next++;
    else if (code === mark) {
      if (next + 1 >= text.length) return -1; // it may be doubled
      if (text.charCodeAt(next + 1) !== mark) return next + 1;
      next++;
    }
  }
  return -1;
}

const isQuote = (code: number) => code === quote || code === doubleQuote || code === backtick;

/** Returns the index of the `;` that ends a statement; -1 if it is not here. */
function endOfStatement(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isQuote(code)) {
      const end = endOfQuoted(text, at);
      if (end < 0) return -1;
      at = end - 1;
    } else if (text[at] === ';') return at;
  }
  return -1;
}

/** Returns the index after the `)` of a row that starts with `(`; -1 if it is not here. */
function endOfTuple(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isQuote(code)) {
      const end = endOfQuoted(text, at);
      if (end < 0) return -1;
      at = end - 1;
    } else if (code === open) depth++;
    else if (code === close && --depth === 0) return at + 1;
  }
  return -1;
}

function unquote(value: string): string | null {
  const plain = value.trim().replace(/^_[a-z0-9]+\s*(?=')/i, '');
  if (/^null$/i.test(plain)) return null;
  if (!plain.startsWith("'")) return plain;
  return plain
    .slice(1, -1)
    .replace(/\\(.)|''/gs, (_, escaped: string | undefined) => (escaped === undefined ? "'" : (escapes[escaped] ?? escaped)));
}

/** Splits the values of a row, without its parentheses. */
function valuesOf(text: string): (string | null)[] {
  const values: (string | null)[] = [];
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && isQuote(text.charCodeAt(at))) {
      const end = endOfQuoted(text, at);
      at = (end < 0 ? text.length : end) - 1;
    } else if (at === text.length || text[at] === ',') {
      values.push(unquote(text.slice(start, at)));
      start = at + 1;
    }
  }
  return values;
}

const columnsOf = (body: string) => body.split('\n').flatMap((line) => /^\s*[`"]([^`"]+)[`"]\s+[a-z]/i.exec(line)?.[1] ?? []);

/**
 * Yields the rows of the wanted tables in the order of the dump. `isWanted` gets the name and the columns of a table.
 * @throws MessageError if the text is no dump, or one of its rows is too large
 */
export async function* readSqlDump(
  file: string,
  chunks: AsyncIterable<Buffer>,
  isWanted: (table: string, columns: string[]) => boolean,
): AsyncGenerator<DumpedRow> {
  const damaged = (why: string) => new MessageError(message('migrate.damaged', { file, why }));
  const decoder = new StringDecoder('utf8');
  const tables = new Map<string, string[]>();
  let rest = '';
  let isKnown = false;
  let inserting: { table: string; columns: string[]; isWanted: boolean } | null = null;

  /** Consumes as much of `rest` as possible. */
  function* consume(isEnd: boolean): Generator<DumpedRow> {
    let at = 0;
    const skipSpace = () => {
      for (;;) {
        const space = /^(?:\s+|--[^\n]*\n|#[^\n]*\n)/.exec(rest.slice(at, at + 2000));
        if (!space) return;
        at += space[0].length;
      }
    };
    for (;;) {
      skipSpace();
      if (at >= rest.length) break;
      if (inserting) {
        const first = rest[at];
        if (first === ',') at++;
        else if (first === ';') {
          inserting = null;
          at++;
        } else if (first === '(') {
          const end = endOfTuple(rest, at);
          if (end < 0) break;
          if (inserting.isWanted) {
            const values = valuesOf(rest.slice(at + 1, end - 1));
            yield {
              table: inserting.table,
              row: Object.fromEntries(inserting.columns.map((name, place) => [name, values[place] ?? null])),
            };
          }
          at = end;
        } else {
          // ON DUPLICATE KEY …
          const end = endOfStatement(rest.slice(at));
          if (end < 0) break;
          at += end;
        }
        continue;
      }
      // The head of an INSERT is short; wait until it is complete.
      if (rest.length - at < 64 * 1024 && !isEnd && endOfStatement(rest.slice(at, at + 64 * 1024)) < 0) break;
      const head = insertHead.exec(rest.slice(at, at + 64 * 1024));
      if (head) {
        const table = head[1]!;
        const named = head[2]?.split(',').map((name) => name.trim().replace(/^[`"]|[`"]$/g, ''));
        const columns = named ?? tables.get(table) ?? [];
        inserting = { table, columns, isWanted: columns.length > 0 && isWanted(table, columns) };
        isKnown = true;
        at += head[0].length;
        continue;
      }
      const end = endOfStatement(rest.slice(at));
      if (end < 0) break;
      const statement = rest.slice(at, at + end);
      const created = /^CREATE\s+TABLE\s+(?:IF NOT EXISTS\s+)?[`"]?([^`"\s(]+)[`"]?\s*\(/i.exec(statement);
      if (created) {
        tables.set(created[1]!, columnsOf(statement));
        isKnown = true;
      }
      at += end + 1;
    }
    rest = rest.slice(at);
  }

  for await (const chunk of chunks) {
    rest += decoder.write(chunk);
    yield* consume(false);
    if (rest.length > maxCharacters)
      throw new MessageError(message('migrate.row-too-large', { file, most: maxCharacters / 1024 / 1024 }));
  }
  rest += `${decoder.end()}\n`;
  yield* consume(true);
  if (inserting !== null) throw damaged('it ends too early');
  if (!isKnown) throw damaged('it is no SQL dump');
}
