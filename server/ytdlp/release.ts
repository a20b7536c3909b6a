import { createHash } from 'node:crypto';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '../child/find-program.ts';
import { installWithPip } from './pip.ts';

type Fetch = (url: string, init?: { maxBytes?: number; timeMs?: number }) => Promise<Response>;

const releases = 'https://github.com/yt-dlp/yt-dlp/releases';
const mostBytes = 100_000_000;

/** The version of the newest official release. Throws why it cannot be known. */
export async function latestVersion(fetch: Fetch): Promise<string> {
  // The page of the newest release is reached by being sent on to it; nothing of the page itself is read.
  const answer = await fetch(`${releases}/latest`, { maxBytes: 5_000_000, timeMs: 30_000 });
  await answer.body?.cancel();
  const version = /\/tag\/(\d{4}\.\d{2}\.\d{2}[\d.]*)$/.exec(answer.url)?.[1];
  if (!version) throw new Error(`${releases}/latest does not say which release is the newest (${answer.status}).`);
  return version;
}

// The small one runs in the Python that is there; without one, the large one brings its own.
async function assetName(): Promise<string> {
  if (await findProgram('python3')) return 'yt-dlp';
  return process.arch === 'arm64' ? 'yt-dlp_linux_aarch64' : 'yt-dlp_linux';
}

/** Writes an official release into a folder of its own, checked against its published sums. Answers the program's path. */
export async function fetchRelease(fetch: Fetch, version: string, folder: string): Promise<string> {
  const base = version === 'latest' ? `${releases}/latest/download` : `${releases}/download/${version}`;
  const whole = async (name: string) => {
    const answer = await fetch(`${base}/${name}`, { maxBytes: mostBytes, timeMs: 300_000 });
    if (!answer.ok) throw new Error(`${base}/${name} answered ${answer.status}`);
    return Buffer.from(await answer.arrayBuffer());
  };
  const asset = await assetName();
  const [sums, program] = [await whole('SHA2-256SUMS'), await whole(asset)];
  const published = sums
    .toString('utf8')
    .split('\n')
    .map((line) => /^([0-9a-f]{64})\s+\*?(\S+)$/.exec(line.trim()))
    .find((line) => line?.[2] === asset)?.[1];
  if (published !== createHash('sha256').update(program).digest('hex'))
    throw new Error(`the sum of ${asset} is not the published one`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'yt-dlp');
  await writeFile(path, program);
  await chmod(path, 0o755);
  return path;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Installs a version from PyPI (the newest unless named) into a folder of its own. Answers the program's path. */
export async function fetchFromPypi(version: string | null, folder: string, signal: AbortSignal): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  const packages = join(folder, 'packages');
  const python = await installWithPip(version ? `yt-dlp==${version}` : 'yt-dlp', packages, { signal });
  const path = join(folder, 'yt-dlp');
  await writeFile(path, `#!/bin/sh\nPYTHONPATH=${quoted(packages)} exec ${quoted(python)} -m yt_dlp "$@"\n`);
  await chmod(path, 0o755);
  return path;
}
