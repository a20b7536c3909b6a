const kinds = ['videos', 'shorts', 'streams'] as const;

/** What a video is; nothing for all of them. */
export type Kind = '' | (typeof kinds)[number];

/** The kind that an address names; undefined when that is none. */
export const kindOf = (text: string | null) => kinds.find((one) => one === text);
