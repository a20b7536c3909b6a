import type { UserConfig } from '#contract/user.ts';
import type { Video } from '#contract/video.ts';
import type { ListListeners } from './use-list-shortcuts.ts';
import type { Selection } from '../selection/selection.ts';

export type ViewStyle = UserConfig['view_style_home'];

/** Index in the list, and its video if it is loaded. */
export interface ListItem {
  index: number;
  video: Video | undefined;
}

export interface ListProps {
  items: ListItem[];
  /** Number of videos in the whole list. */
  total: number;
  view: ViewStyle;
  columns: number;
  /** Height in pixels of the rows that are not rendered above and below. */
  spaceBefore?: number;
  spaceAfter?: number;
  /** Fixed row height in pixels, for virtualized lists. */
  rowHeight?: number;
  date?: 'published' | 'downloaded' | undefined;
  /** Videos added after this time are marked as new; epoch seconds. */
  newSince?: number | undefined;
  selection: Selection;
  /** The user scrolls fast, in a list with infinite scroll. */
  isScrollingFast?: boolean;
  /** From `useListShortcuts`: the active index, the event listeners and the ref of the list. */
  active: number;
  listeners: ListListeners;
  listRef(list: HTMLElement | null): void;
  /** Order, if the table headers can change it. */
  sorting?: { by: string; order: 'asc' | 'desc'; onSort(by: string): void } | undefined;
}

/** Selection state of one card. */
export const cardSelectionFor = (selection: Selection, { index, video }: ListItem) => ({
  isOn: selection.isOn,
  isSelected: video !== undefined && selection.has(video),
  toggle: () => selection.toggle(index),
});

export const isNewSince = (video: Video, since: number | undefined) =>
  since !== undefined && video.date_downloaded > since && !video.player.watched;
