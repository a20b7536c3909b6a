import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppContext } from '../../platform/context/app-context.ts';

/** Creates a private folder for what yt-dlp fetches about an archived video. The caller deletes it; the next start does after a crash. */
export async function makeLookupFolder({ config }: Pick<AppContext, 'config'>): Promise<string> {
  const parent = join(config.cacheFolder, 'refresh');
  await mkdir(parent, { recursive: true, mode: 0o700 });
  return mkdtemp(join(parent, 'one-'));
}
