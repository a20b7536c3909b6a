import { fieldsOf, keep, parseKept, readKept } from '#web/ui/kept.ts';
import { makeStore, usePart } from './store.ts';

/** Where single keys work: WCAG 2.1.4 asks that they can be switched off, or bound to the focus. */
export const keyPlaces = ['everywhere', 'player', 'off'] as const;
export const skipWays = ['auto', 'ask', 'mark', 'off'] as const;
export const captionSizes = [50, 75, 100, 125, 150, 200, 300] as const;
export const captionColours = ['#ffffff', '#ffff00', '#00ffff', '#00ff00', '#000000'] as const;
export const captionGrounds = ['#000000cc', '#00000066', '#00000000', '#ffffffcc'] as const;

/** How long one may think about the next video, seconds; 0: until one chooses it. */
export const upNextWaits = [8, 20, 60, 0] as const;

export type SkipWay = (typeof skipWays)[number];

interface Choices {
  keys: (typeof keyPlaces)[number];
  /** By category of a sponsor segment; what is not named is skipped by itself. */
  skips: Record<string, SkipWay>;
  captionSize: number;
  captionColour: string;
  captionGround: string;
  /** The language of captions that was shown last; null: none. */
  captions: string | null;
  /** The language of the sound that was chosen last; null: what a file plays by itself. */
  audio: string | null;
  /** No picture is played. */
  isSoundOnly: boolean;
  /** Go on with the next of this playlist at the end of a video; null: not. */
  autoplay: string | null;
  upNextSeconds: (typeof upNextWaits)[number];
}

const among = <T>(all: readonly T[], found: unknown, initial: T): T => (all.includes(found as T) ? (found as T) : initial);

/** What somebody chose for the player in this browser; anything strange counts as nothing chosen. */
export function choicesOf(found: unknown): Choices {
  const all = fieldsOf(found);
  const { keys, skips, captionSize, captionColour, captionGround, captions, audio, isSoundOnly, autoplay, upNextSeconds } = all;
  const ways = Object.entries(fieldsOf(skips)).filter(([, way]) => skipWays.includes(way as SkipWay));
  return {
    keys: among(keyPlaces, keys, 'everywhere'),
    skips: Object.fromEntries(ways) as Choices['skips'],
    captionSize: among(captionSizes, captionSize, 100),
    captionColour: among(captionColours, captionColour, '#ffffff'),
    captionGround: among(captionGrounds, captionGround, '#000000cc'),
    captions: typeof captions === 'string' ? captions : null,
    audio: typeof audio === 'string' ? audio : null,
    isSoundOnly: isSoundOnly === true,
    autoplay: typeof autoplay === 'string' ? autoplay : null,
    upNextSeconds: among(upNextWaits, upNextSeconds, 8),
  };
}

const kept = 'reelkeep.choices';
const store = makeStore<Choices>(parseKept(readKept(kept), choicesOf));

export const choices = store.get;
export const useChoices = <R>(pick: (choices: Choices) => R) => usePart(store, pick);

/** Changes some of it, and keeps it. */
export function choose(some: Partial<Choices>) {
  store.set(some);
  keep(kept, JSON.stringify(store.get()));
}
