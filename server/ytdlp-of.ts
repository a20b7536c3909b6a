import { join } from 'node:path';
import type { Archive } from './archive.ts';
import type { Ytdlp } from './ytdlp/options.ts';

/** yt-dlp as this archive runs it. Throws a sentence when it is not there. */
export function ytdlpOf({ tools, config }: Pick<Archive, 'tools' | 'config'>): Ytdlp {
  if (!tools.ytdlp)
    throw new Error('yt-dlp is not there yet. It is fetched when the internet can be reached; or install it and start again.');
  return {
    program: tools.ytdlp,
    gate: tools.gate.url,
    insecure: config.proxyInsecure,
    cacheFolder: join(config.cacheFolder, 'ytdlp'),
    node: process.execPath,
    ffmpegFolder: tools.ffmpegFolder,
  };
}
