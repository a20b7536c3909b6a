import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { safeJoin } from '../lib/safe-join.ts';

// Stored paths are relative to the media folder unless they have a prefix. The first part of a media path contains no colon.
const prefixes = { cache: 'cache:', earlier: 'earlier:', backup: 'backup:' };

/** Returns whether a file is not in the media folder, so that it does not depend on the media disk. */
export const hasPrefix = (path: string) => Object.values(prefixes).some((prefix) => path.startsWith(prefix));

/** Stored path of a file in the cache folder. */
export const inCache = (path: string) => `${prefixes.cache}${path}`;
/** Stored path of an earlier thumbnail. */
export const inHistory = (name: string) => `${prefixes.earlier}${name}`;

/** Stored path of a backup. */
export const inBackups = (name: string) => `${prefixes.backup}${name}`;

/** Removes the prefix of a stored path. */
export const withoutPrefix = (path: string) => {
  const prefix = Object.values(prefixes).find((one) => path.startsWith(one)) ?? '';
  return path.slice(prefix.length);
};

/** Folder of earlier thumbnails. It is in the data folder, because they cannot be downloaded again. */
export const historyFolder = ({ config }: { config: Pick<Config, 'dataFolder'> }) => join(config.dataFolder, 'history');

/**
 * Returns the absolute path of a stored path on this server. With a bucket it is that of the local copy, which may not exist
 * (`FileStore.localPath` fetches it); then all copies are in the cache folder.
 * @throws if it leaves its root folder
 */
export function resolveStoredPath({ config }: { config: Config }, path: string): string {
  if (path.startsWith(prefixes.cache)) return safeJoin(config.cacheFolder, withoutPrefix(path));
  if (path.startsWith(prefixes.earlier))
    return safeJoin(config.s3 ? join(config.cacheFolder, '.history') : historyFolder({ config }), withoutPrefix(path));
  if (path.startsWith(prefixes.backup))
    return safeJoin(config.s3 ? join(config.cacheFolder, '.backup') : join(config.dataFolder, 'backup'), withoutPrefix(path));
  return safeJoin(config.s3 ? join(config.cacheFolder, '.media') : config.mediaFolder, path);
}

/** Key prefixes of a bucket and the stored paths below them. */
const keyPrefixes = { media: 'media/', cache: 'cache/', earlier: 'history/', backup: 'backup/' };

/**
 * Returns the key of a stored path in a bucket.
 * @throws if it leaves its root
 */
export function keyOf(path: string): string {
  const below = withoutPrefix(path);
  if (below !== '') safeJoin('/bucket', below);
  if (path.startsWith(prefixes.cache)) return keyPrefixes.cache + below;
  if (path.startsWith(prefixes.backup)) return keyPrefixes.backup + below;
  return (path.startsWith(prefixes.earlier) ? keyPrefixes.earlier : keyPrefixes.media) + below;
}

/** Returns the stored path of a key; null for a key of something else. */
export function pathOfKey(key: string): string | null {
  if (key.startsWith(keyPrefixes.media)) return key.slice(keyPrefixes.media.length);
  if (key.startsWith(keyPrefixes.cache)) return inCache(key.slice(keyPrefixes.cache.length));
  if (key.startsWith(keyPrefixes.backup)) return inBackups(key.slice(keyPrefixes.backup.length));
  return key.startsWith(keyPrefixes.earlier) ? inHistory(key.slice(keyPrefixes.earlier.length)) : null;
}
