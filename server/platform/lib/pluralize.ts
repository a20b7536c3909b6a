/** Singular and plural of a noun. */
export type Counted = Record<'one' | 'other', string>;

/** Formats a number with its noun in English. */
export const pluralize = (count: number, { one, other }: Counted) => `${count} ${count === 1 ? one : other}`;
