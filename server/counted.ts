/** What is counted, in the words for one and for any other number. */
export type Counted = Record<'one' | 'other', string>;

/** A number with what it counts, in English. */
export const counted = (count: number, { one, other }: Counted) => `${count} ${count === 1 ? one : other}`;
