// The chat of a live stream or premiere. Not in TubeArchivist.

export const chatKinds = ['text', 'paid', 'member', 'sticker', 'system'] as const;
export type ChatKind = (typeof chatKinds)[number];
export const chatBadges = ['owner', 'mod', 'member', 'verified'] as const;
export type ChatBadge = (typeof chatBadges)[number];

/** A line of a chat, as it is stored (docs/decisions/live-chat.md) and sent. All texts are plain, and by strangers. */
export interface ChatLine {
  /** Milliseconds since the start of the stream. */
  t: number;
  k: ChatKind;
  id: string;
  /** Id of the author at the site; empty for `system`. */
  a: string;
  /** Name of the author. */
  n: string;
  b?: ChatBadge[];
  /** Custom emoji as `:name:`. Of a sticker: its description. */
  x: string;
  /** Of `paid` and `sticker`, with the currency. */
  amount?: string;
  /** A moderator removed it, so that it has no text. */
  removed?: true;
}

/** `live`: collected while the stream ran. `replay`: of the site. `merged`: both. */
export const chatSources = ['live', 'replay', 'merged'] as const;
export type ChatSource = (typeof chatSources)[number];

/** Length of a part of a chat. */
export const chatChunkMs = 300_000;
