import { message, type Message } from '#contract/messages.ts';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppContext } from '../../platform/context/app-context.ts';
import { bucketProblem } from './bucket.ts';
import { exists, writeAtomically } from '../../platform/files/files.ts';

// An unmounted disk looks like an empty folder. This marker file exists only on the real one, so that videos are not reported as
// missing when the disk is not mounted.
export const mediaMarkerPath = ({ config }: Pick<AppContext, 'config'>) => join(config.mediaFolder, '.reelkeep');

/** Creates the marker if the media folder is certainly the right one: there are no videos yet, or some of their files exist. */
export async function markMediaFolder({
  db,
  config,
  log,
  files,
}: Pick<AppContext, 'db' | 'config' | 'log' | 'files'>): Promise<void> {
  if (files.isRemote) return; // bucket.ts
  if (await exists(mediaMarkerPath({ config }))) return;
  const some = await db.selectFrom('video').select('mediaPath').limit(20).execute();
  const found = await Promise.all(some.map(({ mediaPath }) => exists(join(config.mediaFolder, mediaPath))));
  if (some.length > 0 && !found.includes(true)) {
    log.error({ folder: config.mediaFolder }, 'the media folder is empty although there are videos: is its disk mounted?');
    return;
  }
  await writeAtomically(
    mediaMarkerPath({ config }),
    'The media of Reelkeep. Without this file it takes the folder for an unmounted disk.\n',
  );
}

/** Returns why the media folder or the bucket cannot be used now, or null. */
export async function whyMediaUnavailable(app: Pick<AppContext, 'config' | 'db' | 'files'>): Promise<Message | null> {
  const { config, files } = app;
  if (files.isRemote) return bucketProblem(app);
  try {
    if (await exists(mediaMarkerPath({ config }))) return null;
    const isEmpty = (await readdir(config.mediaFolder)).filter((name) => !name.startsWith('.')).length === 0;
    return isEmpty
      ? message('disk.not-mounted', { folder: config.mediaFolder })
      : message('disk.other-folder', { folder: config.mediaFolder });
  } catch (error) {
    return message('disk.unreadable', { folder: config.mediaFolder, why: (error as Error).message });
  }
}
