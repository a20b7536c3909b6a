import type { Resolved, ResolvedItem } from '#web/api/queries/resolve.ts';

/** The page of a box. On the pages of channels and playlists, subscribing is preferred. */
export type Place = 'download' | 'channel' | 'playlist';

export interface Plan {
  primary: 'open' | 'subscribe' | 'download' | null;
  /** The archived video or the subscription that the only link points to. */
  open: ResolvedItem | null;
  downloads: ResolvedItem[];
  subscriptions: ResolvedItem[];
  /** The text has more links than the listed ones. Actions apply to the whole text. */
  isWholeText: boolean;
}

export const isList = ({ what, count }: ResolvedItem) => what === 'channel' || what === 'playlist' || count !== null;

/** Whether a channel or playlist is subscribed to for an item. Other links name a channel or playlist only on those pages. */
export function subscriptionKind({ what }: ResolvedItem, place: Place): 'channel' | 'playlist' | null {
  if (what === 'channel' || what === 'playlist') return what;
  if (place === 'download' || (place === 'playlist' && what === 'video')) return null;
  return place;
}

/** Returns the actions that fit what a text points to. */
export function planActions({ items, total }: Pick<Resolved, 'items' | 'total'>, place: Place): Plan {
  const [first] = items;
  const isOne = items.length === 1 && total === 1;
  const isOpenable = first?.state === 'archived' || first?.state === 'subscribed';
  const open = isOne && isOpenable ? first! : null;
  let downloads = items.filter(({ state }) => state !== 'archived');
  let subscriptions = items.filter((item) => item.state !== 'subscribed' && subscriptionKind(item, place));
  const withoutChannels = downloads.filter(({ what }) => what !== 'channel');
  // A list of videos and channels downloads the videos and subscribes to the channels.
  if (withoutChannels.length > 0 && withoutChannels.length < downloads.length) {
    downloads = withoutChannels;
    if (place === 'download') subscriptions = subscriptions.filter(({ what }) => what === 'channel');
  }
  const prefersSubscribing = place !== 'download' || withoutChannels.length === 0;
  const fallback = downloads.length > 0 ? 'download' : null;
  return {
    primary: open ? 'open' : subscriptions.length > 0 && prefersSubscribing ? 'subscribe' : fallback,
    open,
    downloads,
    subscriptions,
    isWholeText: total > items.length,
  };
}
