import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { findBox } from '../../platform/media/hls.ts';
import type { FileStore } from '../../platform/storage/file-store.ts';
import type { SoundIndex } from './playlists.ts';

/** The index of a day has about 173 kB. */
const maxHeadBytes = 2 ** 20;

/** Parses the box `sidx` (ISO/IEC 14496-12 §8.16.3) at the start of a fragmented MP4; null if there is none. */
export function parseSoundIndex(head: Buffer): SoundIndex | null {
  const at = findBox(head, 'sidx');
  if (at + 36 > head.length) return null;
  const end = at + head.readUInt32BE(at);
  const isLong = head[at + 8] === 1;
  const timescale = head.readUInt32BE(at + 16);
  const offsets = at + 20 + (isLong ? 8 : 4);
  const gap = isLong ? Number(head.readBigUInt64BE(offsets)) : head.readUInt32BE(offsets);
  const list = offsets + (isLong ? 8 : 4) + 4;
  const count = head.readUInt16BE(list - 2);
  if (timescale === 0 || end > head.length || list + 12 * count > end) return null;
  const fragments = Array.from({ length: count }, (_, one) => ({
    bytes: head.readUInt32BE(list + 12 * one) & 0x7fff_ffff,
    seconds: head.readUInt32BE(list + 12 * one + 4) / timescale,
  }));
  return { headerBytes: at, offset: end + gap, fragments };
}

/** Reads the index of a sound track in the cache; null if it is missing there or damaged. */
export async function readSoundIndex(files: FileStore, path: string): Promise<SoundIndex | null> {
  const found = await files.stat(path);
  if (!found || found.sizeBytes === 0) return null;
  const head: Readable = await files.read(path, { from: 0, to: Math.min(found.sizeBytes, maxHeadBytes) - 1 });
  return parseSoundIndex(await buffer(head));
}
