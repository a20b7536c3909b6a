import { createHash } from 'node:crypto';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '../process/find-program.ts';
import { toolsFolderOfVersion } from './managed-install.ts';
import { installWithPip } from './pip.ts';
import { pythonPackages } from './python-packages.ts';
import { verifySignature } from './verify-signature.ts';

/** fetch() for GitHub. `verifyCertificates` applies even if the configuration disables certificate checks. */
export type Fetch = (url: string, init: { maxBytes: number; timeMs: number; verifyCertificates: true }) => Promise<Response>;

/** A release without a valid signature, or with a wrong checksum. */
export class UntrustedRelease extends Error {}

const releases = 'https://github.com/yt-dlp/yt-dlp/releases';
const mostBytes = 100_000_000;

const certificateCodes = /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(GET|VERIFY)|CERT_|ERR_TLS_CERT)/;

/** Returns the reason of a failed download. The message of fetch() is only "fetch failed"; the cause has the reason. */
export function whyNotDownloaded(error: unknown): string {
  const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
  if (!cause?.message) return message;
  return certificateCodes.test(cause.code ?? '') ? `the certificate is not trusted (${cause.message})` : cause.message;
}

/** Returns whether a version is lower than another: 2026.10.26 than 2026.10.26.1 or 2026.11.01. */
export function isLowerVersion(version: string, than: string): boolean {
  const [left, right] = [version, than].map((text) => text.split('.').map(Number)) as [number[], number[]];
  const at = Array.from({ length: Math.max(left.length, right.length) }, (_, at) => at).find(
    (at) => (left[at] ?? 0) !== (right[at] ?? 0),
  );
  return at !== undefined && (left[at] ?? 0) < (right[at] ?? 0);
}

/**
 * Returns the version of the newest official release.
 * @throws the reason of a failure
 */
export async function latestVersion(fetch: Fetch): Promise<string> {
  // The version is part of the URL that the page redirects to; its content is not read.
  const response = await fetch(`${releases}/latest`, { maxBytes: 5_000_000, timeMs: 30_000, verifyCertificates: true });
  await response.body?.cancel();
  const version = /\/tag\/(\d{4}\.\d{2}\.\d{2}[\d.]*)$/.exec(response.url)?.[1];
  if (!version) throw new Error(`${releases}/latest does not say which release is the newest (${response.status}).`);
  return version;
}

// The small release uses the installed Python; without one, the standalone release is used.
async function assetName(): Promise<string> {
  if (await findProgram('python3')) return 'yt-dlp';
  return process.arch === 'arm64' ? 'yt-dlp_linux_aarch64' : 'yt-dlp_linux';
}

/**
 * Downloads an official release into `folder` after verification: `armoredKey` signed the checksums, and they contain the
 * checksum of the program. Returns its path.
 * @throws UntrustedRelease, or the error of the download
 */
export async function fetchRelease(fetch: Fetch, version: string, folder: string, armoredKey: string): Promise<string> {
  const base = version === 'latest' ? `${releases}/latest/download` : `${releases}/download/${version}`;
  const load = async (name: string, Failed: new (message: string) => Error = Error) => {
    const response = await fetch(`${base}/${name}`, { maxBytes: mostBytes, timeMs: 300_000, verifyCertificates: true });
    if (!response.ok) throw new Failed(`${base}/${name} answered ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  };
  const asset = await assetName();
  const sums = await load('SHA2-256SUMS');
  const signature = await load('SHA2-256SUMS.sig', UntrustedRelease);
  await verifySignature({ text: sums, signature, armoredKey }).catch((error: Error) => {
    throw new UntrustedRelease(`SHA2-256SUMS is not signed by yt-dlp's key (${error.message.replace(/\.$/, '')})`);
  });
  const published = sums
    .toString('utf8')
    .split('\n')
    .map((line) => /^([0-9a-f]{64})\s+\*?(\S+)$/.exec(line.trim()))
    .find((line) => line?.[2] === asset)?.[1];
  const program = await load(asset);
  if (published !== createHash('sha256').update(program).digest('hex'))
    throw new UntrustedRelease(`the checksum of ${asset} is not the signed one`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'yt-dlp');
  await writeFile(path, program);
  await chmod(path, 0o755);
  return path;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Installs a version (default: the newest) from PyPI into a folder. Returns the path of the program. */
export async function fetchFromPypi(version: string | null, folder: string, signal: AbortSignal): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  const packages = join(folder, 'packages');
  const python = await installWithPip([version ? `yt-dlp==${version}` : 'yt-dlp'], packages, { signal });
  const path = join(folder, 'yt-dlp');
  const pythonPath = `${packages}:${pythonPackages(toolsFolderOfVersion(folder))}`;
  await writeFile(path, `#!/bin/sh\nPYTHONPATH=${quoted(pythonPath)} exec ${quoted(python)} -m yt_dlp "$@"\n`);
  await chmod(path, 0o755);
  return path;
}
