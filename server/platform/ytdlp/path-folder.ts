import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findPython } from '../process/find-python.ts';
import { pythonPackages } from './python-packages.ts';

/**
 * The only folder on the PATH of yt-dlp. A page can contain URLs for which yt-dlp calls other programs (rtmpdump, mplayer, mpv),
 * which would bypass the proxy; here it finds only ffmpeg, ffprobe (server/platform/media/ffmpeg.ts) and Python.
 */
export const pathFolder = (toolsFolder: string) => join(toolsFolder, 'bounded');

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Creates a wrapper for Python in the folder, for releases of yt-dlp that begin with `#!/usr/bin/env python3`. Returns the
 * folder.
 */
export async function preparePathFolder(toolsFolder: string): Promise<string> {
  const folder = pathFolder(toolsFolder);
  const path = join(folder, 'python3');
  const python = await findPython();
  if (!python) {
    await rm(path, { force: true });
    return folder;
  }
  // Not a link: Python finds the packages of a virtual environment by the path it is called with.
  const packages = quoted(pythonPackages(toolsFolder));
  const text = `#!/bin/sh
PYTHONPATH=\${PYTHONPATH:+$PYTHONPATH:}${packages} exec ${quoted(python)} "$@"
`;
  if ((await readFile(path, 'utf8').catch(() => '')) === text) return folder;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(path, text);
  await chmod(path, 0o700);
  return folder;
}
