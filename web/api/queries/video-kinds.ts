const kinds = ['videos', 'shorts', 'streams'] as const;

/** Type of a video; empty for all types. */
export type Kind = '' | (typeof kinds)[number];

/** Parses a type; undefined for unknown values. */
export const kindOf = (text: string | null) => kinds.find((one) => one === text);
