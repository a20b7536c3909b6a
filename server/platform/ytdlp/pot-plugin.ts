import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from '../files/files.ts';
import { installPinned, type PinnedPackage } from './pip.ts';

// The only plugin for yt-dlp, used only while PO tokens are needed: it requests the proof of origin that YouTube requires
// (docs/decisions/yt-dlp-plugin.md). https://github.com/Brainicism/bgutil-ytdlp-pot-provider. It has access to the cookies, so
// the version is pinned by its checksum (https://pypi.org/pypi/bgutil-ytdlp-pot-provider/json).
const plugin: PinnedPackage = {
  name: 'bgutil-ytdlp-pot-provider',
  version: '2.0.2',
  sha256: ['4f488008d25a715837df79472aad06ea052d20e14ad3a02609bbb0fbd746b8be'],
};
/** Version of the plugin, which a provider must have too. */
export const pluginVersion = plugin.version;
const metadata = `${plugin.name.replaceAll('-', '_')}-${plugin.version}.dist-info`;

/** Returns the folder of the plugin, or null if this version is not installed. */
export async function findPotPlugin(toolsFolder: string): Promise<string | null> {
  const folder = join(toolsFolder, 'plugins');
  return (await exists(join(folder, 'bgutil', metadata))) ? folder : null;
}

/**
 * Installs the plugin from PyPI.
 * @throws the reason of a failure
 */
export async function providePotPlugin(toolsFolder: string, signal: AbortSignal): Promise<string> {
  const folder = join(toolsFolder, 'plugins');
  const tempPath = join(toolsFolder, 'plugins.part');
  await rm(tempPath, { recursive: true, force: true });
  await mkdir(tempPath, { recursive: true });
  await installPinned([plugin], join(tempPath, 'bgutil'), signal);
  await rm(folder, { recursive: true, force: true });
  await rename(tempPath, folder);
  return folder;
}
