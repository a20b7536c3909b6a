import { t } from '@lingui/core/macro';
import type { Video } from '#contract/video.ts';
import { addressOf, sendRequest } from '#web/api/call.ts';
import { parseStored, setStored, getStored } from '#web/ui/use-local-storage.ts';
import { createStore } from '#web/ui/create-store.ts';
import { savedIdsKey } from './storage-keys.ts';

// Videos saved on this device: one folder per video in the origin private file system, with the media file, its picture, its
// subtitles and, written last, `video.json`. A folder without that file is an interrupted download.

const rootFolder = 'offline';
// Other things in this browser need space too.
const spareBytes = 50_000_000;

export interface SavedVideo {
  video: Video;
  /** Names of the subtitle files by language. */
  subtitles: { lang: string; name: string; file: string }[];
  bytes: number;
  /** Milliseconds. */
  savedAt: number;
  /** The archive no longer has the video. */
  isGone?: boolean;
}

/** Share of running downloads by video id, from 0 to 1. */
export const offlineDownloads = createStore<{ running: ReadonlyMap<string, number> }>({ running: new Map() });

const setRunning = (id: string, share: number | null) => {
  const running = new Map(offlineDownloads.get().running);
  if (share === null) running.delete(id);
  else running.set(id, share);
  offlineDownloads.set({ running });
};

/** Whether this browser can save videos: needs HTTPS and a recent version. */
export const canSaveVideos = () =>
  isSecureContext &&
  typeof navigator.storage?.getDirectory === 'function' &&
  'createWritable' in (globalThis.FileSystemFileHandle?.prototype ?? {});

export const parseSavedIds = (stored: string | null) =>
  parseStored(stored, (found) => (Array.isArray(found) ? found.filter((id) => typeof id === 'string') : []));
export const savedIds = () => parseSavedIds(getStored(savedIdsKey));

const folderOf = async () => (await navigator.storage.getDirectory()).getDirectoryHandle(rootFolder, { create: true });
const nameOf = (id: string) => encodeURIComponent(id);
// One tab at a time changes a video.
const lockOf = (id: string) => `reelkeep offline ${id}`;
const withLock = <T>(id: string, work: () => Promise<T>) => navigator.locks.request(lockOf(id), work);

async function readJson(folder: FileSystemDirectoryHandle): Promise<SavedVideo | null> {
  try {
    const file = await (await folder.getFileHandle('video.json')).getFile();
    return JSON.parse(await file.text()) as SavedVideo;
  } catch {
    return null; // interrupted
  }
}

async function writeFile(
  folder: FileSystemDirectoryHandle,
  name: string,
  content: Blob | ReadableStream<Uint8Array<ArrayBuffer>>,
) {
  const writable = await (await folder.getFileHandle(name, { create: true })).createWritable();
  if (content instanceof Blob) {
    await writable.write(content);
    await writable.close();
  } else await content.pipeTo(writable);
}

/** Lists the saved videos, newest first, and deletes what interrupted downloads left. */
export async function listSavedVideos(): Promise<SavedVideo[]> {
  const root = await folderOf();
  const saved: SavedVideo[] = [];
  for await (const [name, handle] of root.entries()) {
    if (handle.kind !== 'directory') continue;
    const found = await readJson(handle as FileSystemDirectoryHandle);
    if (found) saved.push(found);
    else {
      await navigator.locks.request(lockOf(decodeURIComponent(name)), { ifAvailable: true }, async (free) => {
        if (free) await root.removeEntry(name, { recursive: true });
      });
    }
  }
  setStored(savedIdsKey, saved.length > 0 ? JSON.stringify(saved.map(({ video }) => video.youtube_id)) : null);
  return saved.toSorted((a, b) => b.savedAt - a.savedAt);
}

const videoFolder = async (id: string) => (await folderOf()).getDirectoryHandle(nameOf(id));
/** Returns a file of a saved video: `media`, `picture` or a subtitle. @throws if it does not exist */
export const readSavedFile = async (id: string, name: string) => (await (await videoFolder(id)).getFileHandle(name)).getFile();

/** Bytes that this origin uses and may use. */
export async function storageUse(): Promise<{ used: number; quota: number }> {
  const { usage = 0, quota = 0 } = await navigator.storage.estimate();
  return { used: usage, quota };
}

const notEnoughSpace = () => new Error(t`Not enough space on this device. Remove saved videos or free up space, then try again.`);
const isQuotaError = (error: unknown) => error instanceof DOMException && error.name === 'QuotaExceededError';

async function fetchFile(url: string): Promise<Response> {
  const response = await sendRequest(addressOf(url), {});
  if (!response.body) throw new Error(t`The download is incomplete. Try again.`);
  return response;
}

async function saveMedia(folder: FileSystemDirectoryHandle, video: Video): Promise<number> {
  const response = await fetchFile(video.media_url);
  const total = Number(response.headers.get('content-length'));
  let received = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      const before = received;
      received += chunk.byteLength;
      if (Math.floor((100 * received) / total) !== Math.floor((100 * before) / total))
        setRunning(video.youtube_id, received / total);
      controller.enqueue(chunk);
    },
  });
  await writeFile(folder, 'media', response.body!.pipeThrough(counter));
  if (received !== total) throw new Error(t`The download is incomplete. Try again.`);
  return received;
}

/**
 * Saves a video with picture and subtitles on this device, after `prepare`. An interrupted or failed download leaves nothing.
 * @throws with a message for the user
 */
export const saveVideo = (video: Video, prepare: () => Promise<void>) =>
  withLock(video.youtube_id, async () => {
    const { youtube_id: id } = video;
    const { used, quota } = await storageUse();
    if (video.media_size + spareBytes > quota - used) throw notEnoughSpace();
    setRunning(id, 0);
    const root = await folderOf();
    try {
      await navigator.storage.persist().catch(() => false); // the browser may otherwise delete it when space is short
      await prepare();
      const folder = await root.getDirectoryHandle(nameOf(id), { create: true });
      const bytes = await saveMedia(folder, video);
      await writeFile(folder, 'picture', await (await fetchFile(video.vid_thumb_url)).blob());
      const subtitles: SavedVideo['subtitles'] = [];
      for (const [index, { lang, name, media_url: url }] of video.subtitles.entries()) {
        const file = `subtitle-${index}`;
        await writeFile(folder, file, await (await fetchFile(url)).blob());
        subtitles.push({ lang, name, file });
      }
      const saved: SavedVideo = { video, subtitles, bytes, savedAt: Date.now() };
      await writeFile(folder, 'video.json', new Blob([JSON.stringify(saved)]));
      setStored(savedIdsKey, JSON.stringify([...new Set([...savedIds(), id])]));
    } catch (error) {
      await root.removeEntry(nameOf(id), { recursive: true }).catch(() => {});
      throw isQuotaError(error) ? notEnoughSpace() : error;
    } finally {
      setRunning(id, null);
    }
  });

/** Removes a saved video from this device. */
export const removeSavedVideo = (id: string) =>
  withLock(id, async () => {
    await (await folderOf()).removeEntry(nameOf(id), { recursive: true });
    const others = savedIds().filter((one) => one !== id);
    setStored(savedIdsKey, others.length > 0 ? JSON.stringify(others) : null);
  });

/** Removes all saved videos. */
export async function removeSavedVideos(): Promise<void> {
  if (!canSaveVideos() || savedIds().length === 0) return;
  setStored(savedIdsKey, null);
  await (await navigator.storage.getDirectory()).removeEntry(rootFolder, { recursive: true });
}

/** Records that the archive no longer has a saved video; the copy stays. */
export async function markGone(id: string): Promise<void> {
  const folder = await videoFolder(id);
  const saved = await readJson(folder);
  if (saved) await writeFile(folder, 'video.json', new Blob([JSON.stringify({ ...saved, isGone: true })]));
}
