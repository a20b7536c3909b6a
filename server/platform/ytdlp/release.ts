import { createHash } from 'node:crypto';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findPython } from '../process/find-python.ts';
import { fillFolder, toolsFolderOfVersion, packagesFolder } from './managed-install.ts';
import { installPinned, resolvePackages } from './pip.ts';
import { pythonPackages } from './python-packages.ts';
import { verifySignature } from './verify-signature.ts';
import { isDiskFull } from '../files/free-space.ts';

/** fetch() for GitHub. `verifyCertificates` applies even if the configuration disables certificate checks. */
export type Fetch = (url: string, init: { maxBytes: number; timeMs: number; verifyCertificates: true }) => Promise<Response>;

/** A release without a valid signature, or with a wrong checksum. */
export class UntrustedRelease extends Error {}

const releases = 'https://github.com/yt-dlp/yt-dlp/releases';
const maxBytes = 100_000_000;

const certificateCodes = /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(GET|VERIFY)|CERT_|ERR_TLS_CERT)/;

/** Whether a write failed because the disk is full, or a program because of that. */
export const lacksDiskSpace = (error: unknown): boolean =>
  isDiskFull(error) || /No space left on device|Disk quota exceeded/.test((error as Error).message);

/**
 * Returns the reason of a failed download or installation. The message of fetch() is only "fetch failed"; the cause has the reason.
 */
export function whyNotDownloaded(error: unknown): string {
  const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
  if (lacksDiskSpace(error)) return 'the disk is full; free up space, then try again';
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

const usesMusl = () => {
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return header !== undefined && header.glibcVersionRuntime === undefined;
};

/** The release that contains Python and all its packages, and takes ten times the space of the small one. */
const standaloneName = () => `yt-dlp_${usesMusl() ? 'musllinux' : 'linux'}${process.arch === 'arm64' ? '_aarch64' : ''}`;

interface ReleaseOptions {
  /** OpenPGP key that signs the checksums. */
  armoredKey: string;
  /** Returns whether a program starts here. */
  starts: (path: string) => Promise<boolean>;
}

/**
 * Downloads an official release into `folder` after verification: the key signed the checksums, and they contain the checksum of the
 * program. The small release, which uses the Python of the machine, is replaced by the standalone one if it does not start with it.
 * Returns the path of the program.
 * @throws UntrustedRelease, or the error of the download
 */
export async function fetchRelease(
  fetch: Fetch,
  version: string,
  folder: string,
  { armoredKey, starts }: ReleaseOptions,
): Promise<string> {
  const base = version === 'latest' ? `${releases}/latest/download` : `${releases}/download/${version}`;
  const load = async (name: string, Failed: new (message: string) => Error = Error) => {
    const response = await fetch(`${base}/${name}`, { maxBytes, timeMs: 300_000, verifyCertificates: true });
    if (!response.ok) throw new Failed(`${base}/${name} answered ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  };
  const sums = await load('SHA2-256SUMS');
  const signature = await load('SHA2-256SUMS.sig', UntrustedRelease);
  await verifySignature({ text: sums, signature, armoredKey }).catch((error: Error) => {
    throw new UntrustedRelease(`SHA2-256SUMS is not signed by yt-dlp's key (${error.message.replace(/\.$/, '')})`);
  });
  const published = new Map(
    sums
      .toString('utf8')
      .split('\n')
      .map((line) => /^([0-9a-f]{64})\s+\*?(\S+)$/.exec(line.trim()))
      .flatMap((line): [string, string][] => (line ? [[line[2]!, line[1]!]] : [])),
  );
  const path = join(folder, 'yt-dlp');
  const install = async (asset: string) => {
    const program = await load(asset);
    if (published.get(asset) !== createHash('sha256').update(program).digest('hex'))
      throw new UntrustedRelease(`the checksum of ${asset} is not the signed one`);
    await writeFile(path, program);
    await chmod(path, 0o755);
  };
  await fillFolder(folder, async () => {
    const hasPython = (await findPython()) !== null;
    if (hasPython) await install('yt-dlp');
    if (!hasPython || !(await starts(path))) await install(standaloneName());
  });
  return path;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Installs a version (default: the newest) from PyPI into a folder, with everything it recommends, such as yt-dlp-ejs. Returns the path of
 * the program.
 * @throws the reason of a failure
 */
export async function fetchFromPypi(version: string | null, folder: string, signal: AbortSignal): Promise<string> {
  const packages = join(folder, packagesFolder);
  const wanted = await resolvePackages(`yt-dlp[default]${version ? `==${version}` : ''}`, signal);
  const path = join(folder, 'yt-dlp');
  const more = quoted(pythonPackages(toolsFolderOfVersion(folder)));
  const pythonPath = `${quoted(packages)}\${PYTHONPATH:+:$PYTHONPATH}:${more}`;
  await fillFolder(folder, async () => {
    const python = await installPinned(wanted, packages, signal);
    await writeFile(path, `#!/bin/sh\nPYTHONPATH=${pythonPath} exec ${quoted(python)} -m yt_dlp "$@"\n`);
    await chmod(path, 0o755);
  });
  return path;
}
