import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from '../media/shelf.ts';
import { installWithPip } from './pip.ts';

// The one plugin that yt-dlp is ever given, and only where somebody has set the address of their token provider: it asks
// that provider for the proof of origin that YouTube wants. https://github.com/Brainicism/bgutil-ytdlp-pot-provider
const packageName = 'bgutil-ytdlp-pot-provider';

/** The folder that holds nothing but that plugin, or null while it is not there. */
export async function findPotPlugin(toolsFolder: string): Promise<string | null> {
  const folder = join(toolsFolder, 'plugins');
  return (await exists(join(folder, 'bgutil', 'yt_dlp_plugins'))) ? folder : null;
}

/** Brings the plugin from PyPI. Throws why it cannot be had. */
export async function providePotPlugin(toolsFolder: string, signal: AbortSignal): Promise<string> {
  const folder = join(toolsFolder, 'plugins');
  const beside = join(toolsFolder, 'plugins.part');
  await rm(beside, { recursive: true, force: true });
  await mkdir(beside, { recursive: true });
  await installWithPip(packageName, join(beside, 'bgutil'), { options: ['--no-deps'], signal });
  await rm(folder, { recursive: true, force: true });
  await rename(beside, folder);
  return folder;
}
