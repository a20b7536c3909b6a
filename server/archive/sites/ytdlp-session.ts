import { MessageError } from '../../platform/messages/message-error.ts';
import { message } from '#contract/messages.ts';
import { join } from 'node:path';
import type { AppContext } from '../../platform/context/app-context.ts';
import { readSettings } from '../settings/store.ts';
import { readSecret } from '../settings/secret.ts';
import { toolsFolderOf } from '../../platform/context/tools.ts';
import { usesLogin } from './login-egress.ts';
import { poTokenProvider } from './po-tokens.ts';
import { storedCookieJar } from './stored-cookie-jar.ts';
import type { Ytdlp } from '../../platform/ytdlp/options.ts';
import { limitedNode, pathFolder } from '../../platform/ytdlp/path-folder.ts';

/**
 * Returns what is needed to run yt-dlp with the current settings.
 * @throws Error if yt-dlp is not installed
 */
export async function ytdlpSession(app: AppContext): Promise<Ytdlp> {
  const { tools, config } = app;
  if (!tools.ytdlp) throw new MessageError(message('queue.no-ytdlp'));
  const settings = await readSettings(app.db);
  const { downloads } = settings;
  const mayLogIn = usesLogin(app, settings);
  return {
    program: tools.ytdlp,
    proxyUrl: tools.proxy.url,
    insecure: config.proxyInsecure,
    cacheFolder: join(config.cacheFolder, 'ytdlp'),
    node: limitedNode(toolsFolderOf(app)),
    ffmpegFolder: tools.ffmpegFolder,
    path: pathFolder(toolsFolderOf(app)),
    packages: tools.packages,
    canImpersonate: tools.packages.impersonation !== null || tools.solver?.parts.libraries['curl_cffi'] !== undefined,
    browserHosts: tools.browserHosts,
    jar: downloads.cookie_import && mayLogIn ? storedCookieJar(app) : null,
    playerClient: downloads.player_client,
    poToken: {
      token: downloads.potoken && mayLogIn ? ((await readSecret(app, 'potoken'))?.text ?? null) : null,
      provider: await poTokenProvider(app),
    },
  };
}
