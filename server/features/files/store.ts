import { basename, extname } from 'node:path';
import { findChannel } from '../../archive/channel/store.ts';
import type { Db } from '../../platform/db/db.ts';
import { clock } from '../../platform/lib/format-time.ts';
import { etagOf } from '../../platform/http/files/media-types.ts';
import type { placeholderImage } from '../../platform/http/files/placeholder-image.ts';

export type Placeholder = Parameters<typeof placeholderImage>[0];

/** Returns the name to download a media file or subtitle as; undefined if no row has this path. */
export async function findMediaOrSubtitle(db: Db, path: string): Promise<{ downloadName: string } | undefined> {
  const video = await db.selectFrom('video').select('title').where('mediaPath', '=', path).executeTakeFirst();
  if (video) return { downloadName: `${video.title}${extname(path)}` };
  const copy = await db
    .selectFrom('smallCopy')
    .innerJoin('video', 'video.id', 'smallCopy.videoId')
    .select('video.title')
    .where('smallCopy.path', '=', path)
    .executeTakeFirst();
  if (copy) return { downloadName: `${copy.title}${extname(path)}` };
  const subtitle = await db.selectFrom('subtitle').select('path').where('path', '=', path).executeTakeFirst();
  return subtitle && { downloadName: basename(path) };
}

/** Returns the path of the small copy of the video with this media file; undefined without one. */
export async function findSmallCopy(db: Db, mediaPath: string): Promise<string | undefined> {
  const copy = await db
    .selectFrom('video')
    .innerJoin('smallCopy', 'smallCopy.videoId', 'video.id')
    .select('smallCopy.path')
    .where('mediaPath', '=', mediaPath)
    .executeTakeFirst();
  return copy?.path;
}

/** Returns whether the media file of a video is still the one with this stamp, from which something was rendered. */
export async function hasMediaVersion(db: Db, id: string, stamp: string): Promise<boolean> {
  const video = await db.selectFrom('video').select(['sha256', 'sizeBytes']).where('id', '=', id).executeTakeFirst();
  return video !== undefined && etagOf(video) === stamp;
}

/** Returns the file of a clip of this user and its name for downloads; undefined without one. */
export async function findClipFile(
  db: Db,
  accountId: number,
  number: number,
): Promise<{ path: string; downloadName: string } | undefined> {
  const clip = await db
    .selectFrom('clip')
    .innerJoin('video', 'video.id', 'clip.videoId')
    .select(['clip.path', 'clip.startMs', 'clip.endMs', 'video.title'])
    .where('clip.number', '=', number)
    .where('clip.accountId', '=', accountId)
    .where('clip.state', '=', 'done')
    .executeTakeFirst();
  if (!clip?.path) return undefined;
  const [from, to] = [clip.startMs, clip.endMs].map((ms) => clock(ms / 1000).replaceAll(':', '.'));
  // Longer names would lose their end.
  const title = [...clip.title].slice(0, 90).join('');
  return { path: clip.path, downloadName: `${title} ${from}–${to}${extname(clip.path)}` };
}

/** Returns the placeholder for the thumbnail of a video; undefined for an unknown video. */
export async function placeholderOfVideo(db: Db, id: string): Promise<Placeholder | undefined> {
  const video = await db.selectFrom('video').select('id').where('id', '=', id).executeTakeFirst();
  if (!video) return undefined;
  const streams = await db.selectFrom('stream').select('type').where('videoId', '=', id).execute();
  return streams.length > 0 && streams.every(({ type }) => type === 'audio') ? 'sound' : 'film';
}

/** Returns the placeholder for an image of a channel; undefined for an unknown channel. */
export async function placeholderOfChannel(db: Db, id: string, name: string): Promise<Placeholder | undefined> {
  if (!(await findChannel(db, id))) return undefined;
  return name.endsWith('_thumb.jpg') ? 'person' : name.endsWith('_banner.jpg') ? 'banner' : 'film';
}
