import { join } from 'node:path';
import type { Archive } from './archive.ts';
import { currentSettings } from './settings/read.ts';
import { readSecret, renewSecret } from './settings/secret.ts';
import type { Jar } from './ytdlp/jar.ts';
import { loginEnds, readNetscape } from './ytdlp/netscape.ts';
import type { Ytdlp } from './ytdlp/options.ts';

const carriesLogin = (text: string) => {
  try {
    return loginEnds(readNetscape(text).cookies) !== null;
  } catch {
    return false;
  }
};

/** The stored cookies, as yt-dlp uses and renews them. */
const jarOf = (archive: Archive): Jar => ({
  read: async () => (await readSecret(archive, 'cookie'))?.text ?? null,
  async write(text) {
    const before = await readSecret(archive, 'cookie');
    // A site that ends the login takes the cookies away: then the person is to hear of it, not to find an empty jar.
    if (before && (carriesLogin(text) || !carriesLogin(before.text))) await renewSecret(archive, 'cookie', text);
  },
});

/** yt-dlp as this archive runs it now. Throws a sentence when it is not there. */
export async function ytdlpOf(archive: Archive): Promise<Ytdlp> {
  const { tools, config } = archive;
  if (!tools.ytdlp)
    throw new Error('yt-dlp is not there yet. It is fetched when the internet can be reached; or install it and start again.');
  const { downloads } = await currentSettings(archive);
  return {
    program: tools.ytdlp,
    gate: tools.gate.url,
    insecure: config.proxyInsecure,
    cacheFolder: join(config.cacheFolder, 'ytdlp'),
    node: process.execPath,
    ffmpegFolder: tools.ffmpegFolder,
    jar: downloads.cookie_import ? jarOf(archive) : null,
    poToken: {
      token: downloads.potoken ? ((await readSecret(archive, 'potoken'))?.text ?? null) : null,
      providerUrl: downloads.pot_provider_url,
      pluginsFolder: tools.pluginsFolder,
    },
  };
}
