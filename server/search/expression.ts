// What is looked for in an index, and how each of the two databases wants it said. It is built of words that were folded
// (words.ts), never of what somebody typed: nothing in it can be an operator.

/** Where in a document: its name, and what else is known of it; or in one of several. The letters are PostgreSQL's, of weights. */
export type Field = 'a' | 'b' | 'c' | 'd' | 'ab';

export type Expression =
  | { words: readonly string[]; isPrefix?: boolean }
  | { all: readonly Expression[] }
  | { any: readonly Expression[] }
  | { this: Expression; not: Expression }
  | { field: Field; holds: Expression };

/** Several that must all hold; one that says nothing is left out. */
export const all = (list: readonly (Expression | null)[]): Expression | null => {
  const some = list.filter((one) => one !== null);
  return some.length > 1 ? { all: some } : (some[0] ?? null);
};
export const any = (list: readonly Expression[]): Expression | null => (list.length > 1 ? { any: list } : (list[0] ?? null));

/** What must hold, one by one. What must not is not apart from what must: an index finds nothing by it alone. */
export const partsOf = (expression: Expression): Expression[] =>
  'all' in expression ? expression.all.flatMap(partsOf) : [expression];

/** In the language of SQLite's FTS5. */
export function fts5Of(expression: Expression, field?: Field): string {
  if ('words' in expression) {
    const phrase = `"${expression.words.join(' ').replaceAll('"', '')}"${expression.isPrefix ? ' *' : ''}`;
    return field ? `{${[...field].join(' ')}} : ${phrase}` : phrase;
  }
  if ('field' in expression) return fts5Of(expression.holds, expression.field);
  if ('not' in expression) return `(${fts5Of(expression.this, field)} NOT ${fts5Of(expression.not, field)})`;
  const [parts, word] = 'all' in expression ? [expression.all, ' AND '] : [expression.any, ' OR '];
  return `(${parts.map((part) => fts5Of(part, field)).join(word)})`;
}

const lexeme = (word: string, labels: string) => `'${word.replace(/['\\]/g, '')}'${labels && `:${labels}`}`;

/** In the language of PostgreSQL's `tsquery`. */
export function tsqueryOf(expression: Expression, field?: Field): string {
  if ('words' in expression) {
    const { words, isPrefix } = expression;
    const last = words.length - 1;
    const each = words.map((word, place) => lexeme(word, `${isPrefix && place === last ? '*' : ''}${field ?? ''}`));
    return each.length > 1 ? `(${each.join(' <-> ')})` : each[0]!;
  }
  if ('field' in expression) return tsqueryOf(expression.holds, expression.field);
  if ('not' in expression) return `(${tsqueryOf(expression.this, field)} & !${tsqueryOf(expression.not, field)})`;
  const [parts, word] = 'all' in expression ? [expression.all, ' & '] : [expression.any, ' | '];
  return `(${parts.map((part) => tsqueryOf(part, field)).join(word)})`;
}
