import { readFile } from 'node:fs/promises';
import type { AppContext } from '../../platform/context/app-context.ts';
import { localPathOrNull } from '../../platform/storage/file-store.ts';
import { announcedPicture, type AnnouncedPicture } from '../../platform/ytdlp/choose-format.ts';
import { readJson } from '../../platform/ytdlp/info.ts';
import { stemOf } from '../storage/upload.ts';
import type { Quality } from './quality.ts';

interface Picture {
  codec: string;
  width?: number | null;
  height?: number | null;
  dynamicRange?: Quality['dynamicRange'] | undefined;
}

/** Returns the quality of a picture, of which the site has announced what its file does not tell; null if its size is unknown. */
export function qualityOf({ codec, width, height, dynamicRange }: Picture, announced: AnnouncedPicture | null): Quality | null {
  if (!width || !height) return null;
  // After a change by another program, the info.json describes another file.
  const isOfFile = announced?.codec === codec && announced.width === width && announced.height === height;
  const { fps = null, bitrate = null, isUpscaled = false } = isOfFile ? announced : {};
  return { codec, width, height, dynamicRange: dynamicRange ?? null, fps, bitrate, isUpscaled };
}

/** Returns the quality of the file of a video; null if it has no picture, or none that was read. */
export async function storedQuality(
  { db, files, log }: Pick<AppContext, 'db' | 'files' | 'log'>,
  { id, mediaPath }: { id: string; mediaPath: string },
): Promise<Quality | null> {
  const stream = await db
    .selectFrom('stream')
    .select(['codec', 'width', 'height', 'dynamicRange'])
    .where('videoId', '=', id)
    .where('type', '=', 'video')
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
  return stream ? qualityOf(stream, await readAnnounced()) : null;

  async function readAnnounced() {
    try {
      const path = await localPathOrNull(files, `${stemOf(mediaPath)}.info.json`);
      return path === null ? null : announcedPicture(readJson(await readFile(path, 'utf8')));
    } catch (error) {
      log.info({ id, err: error }, 'cannot read an info.json');
      return null;
    }
  }
}
