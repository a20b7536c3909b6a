import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder with package.json: the checkout, or `/app` in the image. Sources and bundles are at different depths below it. */
export const programFolder = (() => {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
})();

/**
 * The TubeArchivist version whose API is implemented. The Plex agent and scanner use older response formats below v0.5.3 and fail
 * if anything but numbers follows the v.
 */
export const apiVersion = 'v0.5.10';

/** The version of Reelkeep. */
export const version = `v${(JSON.parse(readFileSync(join(programFolder, 'package.json'), 'utf8')) as { version: string }).version}`;
