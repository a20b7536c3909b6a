import type { UserConfig } from '#contract/user.ts';
import type { Video } from '#contract/video.ts';
import type { Listens } from './list-keys.ts';
import type { Selection } from './selection.ts';

export type ViewStyle = UserConfig['view_style_home'];

/** A place in a list, and the video that stands there as far as it is known. */
export interface Placed {
  at: number;
  video: Video | undefined;
}

export interface Shown {
  items: Placed[];
  /** How many there are in all. */
  total: number;
  view: ViewStyle;
  columns: number;
  /** What is not drawn above and below takes this many pixels. */
  before?: number;
  after?: number;
  /** Where it must be known how long the whole list is, in pixels. */
  rowHeight?: number;
  date?: 'published' | 'downloaded' | undefined;
  /** What came into the archive after this is marked as new; epoch seconds. */
  newSince?: number | undefined;
  selection: Selection;
  /** In a list without end: what comes into sight is gone again at once. */
  isRushing?: boolean;
  /** From `useListKeys`: which one the keys are at, what the list listens to, and where it says which element it is. */
  active: number;
  listens: Listens;
  listRef(list: HTMLElement | null): void;
  /** The order, where the heads of a table may change it. */
  sorting?: { by: string; order: 'asc' | 'desc'; onSort(by: string): void } | undefined;
}

/** The choosing of one card. */
export const choosingOf = (selection: Selection, { at, video }: Placed) => ({
  isOn: selection.isOn,
  isChosen: video !== undefined && selection.has(video),
  toggle: () => selection.toggle(at),
});

export const isNewSince = (video: Video, since: number | undefined) =>
  since !== undefined && video.date_downloaded > since && !video.player.watched;
