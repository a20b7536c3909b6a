import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findPython } from '../process/find-python.ts';
import { pythonPackages } from './python-packages.ts';

/**
 * The only folder on the PATH of yt-dlp. A page can contain URLs for which yt-dlp calls other programs (rtmpdump, mplayer, mpv),
 * which would bypass the proxy; here it finds only ffmpeg, ffprobe (server/platform/media/ffmpeg.ts), Python and Node.
 */
export const pathFolder = (toolsFolder: string) => join(toolsFolder, 'bounded');

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Path of the wrapper of Node in the folder. */
export const limitedNode = (toolsFolder: string) => join(pathFolder(toolsFolder), 'node');

// The script of a site may loop or allocate without end. Solving the challenges of a player takes about a second.
const nodeSeconds = 60;
const nodeMegabytes = 768;

async function writeWrapper(path: string, text: string) {
  if ((await readFile(path, 'utf8').catch(() => '')) === text) return;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Renamed when complete: another server with the same folder, or yt-dlp, may be using it.
  const part = `${path}.${process.pid}`;
  await writeFile(part, text, { mode: 0o700 });
  await chmod(part, 0o700);
  await rename(part, path);
}

/**
 * Creates wrappers in the folder: of Python, for releases of yt-dlp that begin with `#!/usr/bin/env python3`, and of our own Node, with
 * limits for the scripts of sites. Returns the folder.
 */
export async function preparePathFolder(toolsFolder: string): Promise<string> {
  const folder = pathFolder(toolsFolder);
  await writeWrapper(
    limitedNode(toolsFolder),
    `#!/bin/sh
ulimit -t ${nodeSeconds}
exec ${quoted(process.execPath)} --max-old-space-size=${nodeMegabytes} "$@"
`,
  );
  const path = join(folder, 'python3');
  const python = await findPython();
  if (!python) {
    await rm(path, { force: true });
    return folder;
  }
  // Not a link: Python finds the packages of a virtual environment by the path it is called with.
  const packages = quoted(pythonPackages(toolsFolder));
  await writeWrapper(
    path,
    `#!/bin/sh
PYTHONPATH=\${PYTHONPATH:+$PYTHONPATH:}${packages} exec ${quoted(python.path)} "$@"
`,
  );
  return folder;
}
