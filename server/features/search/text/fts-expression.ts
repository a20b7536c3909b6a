// Index expressions and their syntax in both databases. They are built from normalized words (normalize-word.ts), never from raw
// input, so that no word can act as an operator.

/** Fields of a document, named after PostgreSQL's weights: the name, other metadata, or a combination. */
export type Field = 'a' | 'b' | 'c' | 'd' | 'ab';

export type Expression =
  | { words: readonly string[]; isPrefix?: boolean }
  | { all: readonly Expression[] }
  | { any: readonly Expression[] }
  | { this: Expression; not: Expression }
  | { field: Field; holds: Expression };

/** Combines expressions with AND; null ones are omitted. */
export const all = (list: readonly (Expression | null)[]): Expression | null => {
  const some = list.filter((one) => one !== null);
  return some.length > 1 ? { all: some } : (some[0] ?? null);
};
export const any = (list: readonly Expression[]): Expression | null => (list.length > 1 ? { any: list } : (list[0] ?? null));

/** Splits an expression into its required parts. Exclusions stay attached, because an index cannot search for them alone. */
export const partsOf = (expression: Expression): Expression[] =>
  'all' in expression ? expression.all.flatMap(partsOf) : [expression];

/** Renders an expression for SQLite's FTS5. */
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

/** Renders an expression as PostgreSQL `tsquery`. */
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
