import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from '../files/files.ts';
import { installPinned, type PinnedPackage } from './pip.ts';

// yt-dlp decrypts HLS streams (AES-128) with pycryptodomex. Without it, ffmpeg would have to download them, which has no network
// access here. The standalone Linux release of yt-dlp contains it; the small release that uses the Python of the machine does
// not. Wheels of https://pypi.org/pypi/pycryptodomex/json for CPython on x86_64 and aarch64, with glibc and musl.
const pycryptodomex: PinnedPackage = {
  name: 'pycryptodomex',
  version: '3.24.2',
  sha256: [
    'e340408a601003f235b50117cd16f87b2a5b4760765aafe93340eeaadeb0414d',
    '97dc6ea02ec1ed55dca0fbc98758ac23d0ca8ce9d7ea32d538c2851e23b8b27f',
    'b6b327cb30a96c13965892be0a06717bb2cbdbf5e9b26fc4e9389a040b4b0047',
    '4625b5dbecb87f935febb790de09ed654daff2931dff051ffa47779ea36f6934',
  ],
};

/** Folder of Python packages for yt-dlp. */
export const pythonPackages = (toolsFolder: string) => join(toolsFolder, 'python-packages');

/**
 * Installs the packages unless this version exists.
 * @throws the reason of a failure
 */
export async function providePythonPackages(toolsFolder: string, signal: AbortSignal): Promise<void> {
  const folder = pythonPackages(toolsFolder);
  if (await exists(join(folder, `pycryptodomex-${pycryptodomex.version}.dist-info`))) return;
  const part = `${folder}.part`;
  await rm(part, { recursive: true, force: true });
  await mkdir(toolsFolder, { recursive: true });
  await installPinned(pycryptodomex, part, signal);
  await rm(folder, { recursive: true, force: true });
  await rename(part, folder);
}
