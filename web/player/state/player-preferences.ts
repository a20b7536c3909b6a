import { asRecord, setStored, parseStored, getStored } from '#web/ui/use-local-storage.ts';
import { createStore, useStoreValue } from '#web/ui/create-store.ts';

/** Where single-key shortcuts work: WCAG 2.1.4 requires that they can be turned off or bound to the focus. */
export const shortcutScopes = ['everywhere', 'player', 'off'] as const;
export const skipModes = ['auto', 'ask', 'mark', 'off'] as const;
export const captionSizes = [50, 75, 100, 125, 150, 200, 300] as const;
export const captionColours = ['#ffffff', '#ffff00', '#00ffff', '#00ff00', '#000000'] as const;
export const captionBackgrounds = ['#000000cc', '#00000066', '#00000000', '#ffffffcc'] as const;

/** Delay before the next video plays, seconds; 0: never automatically. */
export const autoplayDelays = [8, 20, 60, 0] as const;

/** Loudness to which louder videos are lowered, LUFS; 0: none is. */
export const evenVolumes = [-14, -18, -23, 0] as const;
export type EvenVolume = (typeof evenVolumes)[number];

export type SkipMode = (typeof skipModes)[number];

interface PlayerPreferences {
  keys: (typeof shortcutScopes)[number];
  /** By SponsorBlock category; categories without an entry are skipped. */
  skips: Record<string, SkipMode>;
  captionSize: number;
  captionColour: string;
  captionGround: string;
  /** Language of the captions last shown; null: none. */
  captions: string | null;
  /** Languages of the audio tracks picked, the last one first. A file without any of them plays its default. */
  audio: string[];
  /** Audio only. */
  isSoundOnly: boolean;
  evenVolume: EvenVolume;
  /** Quiet videos are raised to `evenVolume`. */
  raisesQuiet: boolean;
  /** ID of the playlist that plays on automatically; null: none. */
  autoplay: string | null;
  upNextSeconds: (typeof autoplayDelays)[number];
}

const oneOf = <T>(all: readonly T[], found: unknown, initial: T): T => (all.includes(found as T) ? (found as T) : initial);

/** Parses stored preferences; invalid values become the defaults. */
export function parsePreferences(found: unknown): PlayerPreferences {
  const all = asRecord(found);
  const {
    keys,
    skips,
    captionSize,
    captionColour,
    captionGround,
    captions,
    audio,
    isSoundOnly,
    evenVolume,
    raisesQuiet,
    autoplay,
    upNextSeconds,
  } = all;
  const validSkips = Object.entries(asRecord(skips)).filter(([, way]) => skipModes.includes(way as SkipMode));
  return {
    keys: oneOf(shortcutScopes, keys, 'everywhere'),
    skips: Object.fromEntries(validSkips) as PlayerPreferences['skips'],
    captionSize: oneOf(captionSizes, captionSize, 100),
    captionColour: oneOf(captionColours, captionColour, '#ffffff'),
    captionGround: oneOf(captionBackgrounds, captionGround, '#000000cc'),
    captions: typeof captions === 'string' ? captions : null,
    audio: Array.isArray(audio) ? audio.filter((language) => typeof language === 'string') : [],
    isSoundOnly: isSoundOnly === true,
    evenVolume: oneOf(evenVolumes, evenVolume, -14),
    raisesQuiet: raisesQuiet === true,
    autoplay: typeof autoplay === 'string' ? autoplay : null,
    upNextSeconds: oneOf(autoplayDelays, upNextSeconds, 8),
  };
}

const storageKey = 'reelkeep.choices';
const store = createStore<PlayerPreferences>(parseStored(getStored(storageKey), parsePreferences));

export const preferences = store.get;
export const usePreferences = <R>(pick: (choices: PlayerPreferences) => R) => useStoreValue(store, pick);

/** Changes preferences and stores them. */
export function setPreferences(some: Partial<PlayerPreferences>) {
  store.set(some);
  setStored(storageKey, JSON.stringify(store.get()));
}
