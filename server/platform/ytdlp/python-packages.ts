import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from '../files/files.ts';
import { fillFolder } from './managed-install.ts';
import { installPinned, resolvePackages, type PinnedPackage } from './pip.ts';

// Python packages that complete a yt-dlp without them. Wheels for CPython on x86_64 and aarch64, with glibc and musl; checksums of
// https://pypi.org/pypi/<name>/json.

// Decrypts HLS streams (AES-128). Without it, ffmpeg would have to download them, which has no network access here. The standalone Linux
// release of yt-dlp contains it; the small release that uses the Python of the machine does not.
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

// Imitates the connections of a browser, with what it needs.
const curlCffi: PinnedPackage = {
  name: 'curl_cffi',
  version: '0.17.0',
  sha256: [
    'af0782d5e340b65fd76701630f0284a8f8243d77df5f2637efd09a4b009f4e24',
    'aa91d26234516ddb9eb97310d5fe1705aa6f677f101d57ffdb76d5f75439506e',
    '539eb6708c46433cd61745fda756f2754807f4774b31255d8ee56db0e97068fe',
    '3f737d386e77d4e5ac64998fac8b494b35d37e8cbda22f675b0126913e0e4d6d',
  ],
};
const cffi: PinnedPackage = {
  name: 'cffi',
  version: '2.1.1',
  // For Python 3.11 to 3.15.
  sha256: [
    '34e261f78cb6ceaaa36f42f2613f4380d94d9c759a9c73c769ee6e0247364632',
    'c1453022f490d2459a11819d83ad1d586e9ff65a12ac3e705ffebd46d3685dcf',
    'a931079504ecc49efed7744c476a5c343a92fabf66dec2db95edb1b2fdc770e2',
    'b0431303acaea1089ad4b3e9ce4e6518193def1118d4073ca848635ee4ea2e96',
    'aeae0e330c9f6acd681f647d46cefd30c29f93e3392882e792e82080c9691399',
    '3311ed60d36f83378794e1009ac6258bafbf81f7888b4caa7b35a521e3f95813',
    '68e62fe11f30d5ca8289242866f0a5291402d8529ca2178ab8afc5c9694ae890',
    'f16c709686a78c727bbbf059f92b0bf41c6fc60deec706d2dc19f529175a6125',
    '58acb8ab8e295e6c5ea12f888cbb13cf21511ef2a3303a23f4325c29d17fe5c1',
    '507a24c282e0f42f8ed737cf048572cbf580468da5555764a8331735e9c736b6',
    'f5cfbc5fe74540d335175b656c725d74d90e3730c626d92575eea35029d9afaa',
    '210019b6c7cf07f081b4c54635c8cf744377001350e29cc0f81c4377b4797735',
    'e0bcb7e0f677f543555d2adff3bf19c05f66cdb4796e5ff602442ab2fe3c4ef7',
    '5c58fe613dc5e5336357eff555824a314d8e43282600435c8d1cb6a7a2fedd13',
    'cc572dace3f60ef98d7b12ff411d20f5362feb31a0439eab0085bbfd349982d7',
    '7225e4514edb64eb6740324353e0da0711954fd8d7da4576755b1c6e09b697cd',
    '208f941bb9d18e768138677f0a6d2ce01f590df56043dda1df1535ac57c88517',
    'a2d7755bef5a12ed488f4ef1f1b69ee9191d7396083b755a5d2295f6edb4768b',
    '64faea20f4e2613363a1a9b9c7dd73058f3ecd00133a511e72ad7c511658f527',
    '42a494cee34437f05546455144f2b5d9ac09b1face62bcfce597d2e521066688',
  ],
};
const certifi: PinnedPackage = {
  name: 'certifi',
  version: '2026.10.19.post1',
  sha256: ['1324c476b4811eff41a8bc2122cd0bbd4d9c7234c725446d99ab1612b3a7fdd2'],
};

/** Folder of Python packages for yt-dlp. */
export const pythonPackages = (toolsFolder: string) => join(toolsFolder, 'python-packages');

/** Folder of curl_cffi. */
const impersonationPackages = (toolsFolder: string) => join(toolsFolder, 'impersonation');

/** Folder of yt-dlp-ejs for a yt-dlp that was installed without it. */
const solverPackages = (toolsFolder: string) => join(toolsFolder, 'solver');

/** Replaces a folder by one with these packages, unless it has the version of the first one. Returns whether it was replaced. */
async function provide(folder: string, packages: [PinnedPackage, ...PinnedPackage[]], signal: AbortSignal): Promise<boolean> {
  const [{ name, version }] = packages;
  if (await exists(join(folder, `${name.replaceAll('-', '_')}-${version}.dist-info`))) return false;
  const part = `${folder}.${process.pid}.part`;
  await fillFolder(part, async () => void (await installPinned(packages, part, signal)));
  await rm(folder, { recursive: true, force: true });
  await rename(part, folder);
  return true;
}

/**
 * Installs pycryptodomex unless this version exists.
 * @throws the reason of a failure
 */
export const providePythonPackages = (toolsFolder: string, signal: AbortSignal) =>
  provide(pythonPackages(toolsFolder), [pycryptodomex], signal);

/**
 * Installs curl_cffi unless this version exists.
 * @throws the reason of a failure
 */
export const provideImpersonation = (toolsFolder: string, signal: AbortSignal) =>
  provide(impersonationPackages(toolsFolder), [curlCffi, cffi, certifi], signal);

/**
 * Installs the version of yt-dlp-ejs that the metadata of a version of yt-dlp name, because each yt-dlp accepts only one.
 * @throws the reason of a failure
 */
export async function provideSolver(toolsFolder: string, ytdlpVersion: string, signal: AbortSignal): Promise<boolean> {
  const packages = await resolvePackages(`yt-dlp[default]==${ytdlpVersion}`, signal);
  const solver = packages.find(({ name }) => name.replaceAll('_', '-') === 'yt-dlp-ejs');
  if (!solver) throw new Error(`yt-dlp ${ytdlpVersion} names no yt-dlp-ejs`);
  return provide(solverPackages(toolsFolder), [solver], signal);
}

/** Returns the folders of curl_cffi and yt-dlp-ejs; null if not installed. */
export async function findPackages(toolsFolder: string): Promise<{ solver: string | null; impersonation: string | null }> {
  const ifThere = async (folder: string) => ((await exists(folder)) ? folder : null);
  return {
    solver: await ifThere(solverPackages(toolsFolder)),
    impersonation: await ifThere(impersonationPackages(toolsFolder)),
  };
}
