import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Archive } from '../archive.ts';
import { exists, writeWhole } from '../media/shelf.ts';

// An unmounted disk looks like an empty folder. A file that only the real one has tells them apart, so that nobody takes a
// thousand videos for missing because a cable came loose.
const markerOf = ({ config }: Pick<Archive, 'config'>) => join(config.mediaFolder, '.reelkeep');

/** Puts the marker into the media folder, where it is sure that this is the one: it is new, or what should be in it is. */
export async function markMediaFolder({ db, config, log }: Pick<Archive, 'db' | 'config' | 'log'>): Promise<void> {
  if (await exists(markerOf({ config }))) return;
  const some = await db.selectFrom('video').select('mediaPath').limit(20).execute();
  const found = await Promise.all(some.map(({ mediaPath }) => exists(join(config.mediaFolder, mediaPath))));
  if (some.length > 0 && !found.includes(true)) {
    log.error({ folder: config.mediaFolder }, 'the media folder is empty though there are videos: is its disk mounted?');
    return;
  }
  await writeWhole(markerOf({ config }), 'The media of Reelkeep. Without this file it takes the folder for an unmounted disk.\n');
}

/** Why the media folder is not to be believed now, as a sentence; null when it is the one we know. */
export async function whyNotBelieved({ config }: Pick<Archive, 'config'>): Promise<string | null> {
  try {
    if (await exists(markerOf({ config }))) return null;
    const isEmpty = (await readdir(config.mediaFolder)).filter((name) => !name.startsWith('.')).length === 0;
    return isEmpty
      ? `${config.mediaFolder} is empty: its disk does not seem to be mounted. Nothing was changed.`
      : `${config.mediaFolder} is not the folder that was used before (it has no file .reelkeep). Mount the right one, and start again. Nothing was changed.`;
  } catch (error) {
    return `${config.mediaFolder} cannot be read: ${(error as Error).message}`;
  }
}
