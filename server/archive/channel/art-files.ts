import type { FileStore } from '../../platform/storage/file-store.ts';
import { inCache } from '../../platform/storage/stored-path.ts';

export const channelArtKinds = ['thumb', 'banner', 'tvart'] as const;
export type ChannelArtKind = (typeof channelArtKinds)[number];

/** Path of an image of a channel, relative to the cache folder. */
export const channelArtPath = (channelId: string, art: ChannelArtKind) => `channels/${channelId}_${art}.jpg`;

/** Returns the image flags of a channel. */
export const channelArtFlags = (has: (art: ChannelArtKind) => boolean) => {
  const flag = (art: ChannelArtKind) => (has(art) ? (1 as const) : (0 as const));
  return { hasThumb: flag('thumb'), hasBanner: flag('banner'), hasTvart: flag('tvart') };
};

/** Returns which images of a channel exist. @throws StorageError */
export async function channelArtFiles(files: FileStore, channelId: string) {
  const found = await Promise.all(channelArtKinds.map((art) => files.stat(inCache(channelArtPath(channelId, art)))));
  return channelArtFlags((art) => found[channelArtKinds.indexOf(art)] !== null);
}
