/** Where the search for moments looks. Plain data, so that it is used without loading zod. */
export const momentKinds = ['title', 'spoken', 'chapter', 'description', 'comment', 'note', 'tag', 'screen'] as const;
export type MomentKind = (typeof momentKinds)[number];

export const isMomentKind = (text: string): text is MomentKind => (momentKinds as readonly string[]).includes(text);
