import { message } from '#contract/messages.ts';
import type { PoTokenTest } from '#contract/cookie.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import type { PotService } from '../../platform/pot/pot-service.ts';
import type { TokenSource } from '../../platform/pot/token-source.ts';
import { pluginVersion } from '../../platform/ytdlp/pot-plugin.ts';
import { installPotPlugin, tryToInstallPotPlugin } from '../binaries/binaries.ts';
import { readPoTokenSettings, type PoTokenSettings } from '../settings/po-tokens.ts';

/** A running service for yt-dlp. */
interface Running {
  service: PotService;
  idle: NodeJS.Timeout;
}

export interface PoTokenState {
  /** Until when “Automatic” creates tokens, epoch seconds. Only YouTube has them. */
  neededUntil: number;
  running: Promise<Running> | null;
  /** The source of the tokens and the settings it was made with. */
  source: { source: TokenSource; settings: string } | null;
}

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    poTokens: PoTokenState;
  }
}

export const createPoTokenState = (): PoTokenState => ({ neededUntil: 0, running: null, source: null });

const neededSeconds = 3600;
// yt-dlp may request a token long after its start. An idle service is only a port that listens.
const idleMs = 3_600_000;
// Older versions have no interface for providers.
const oldestYtdlp = '2025.05.22';

/** Returns whether yt-dlp gets tokens with these settings. */
function isActive({ state, now }: Pick<AppContext, 'state' | 'now'>, settings: PoTokenSettings): boolean {
  const { po_tokens, pot_provider_url } = settings;
  if (po_tokens === 'auto') return now() < state.poTokens.neededUntil;
  return po_tokens === 'always' || (po_tokens === 'provider' && pot_provider_url !== null);
}

/**
 * Returns the source of tokens for the current settings.
 * @throws MessageError if there is none
 */
async function sourceFor(app: AppContext): Promise<TokenSource> {
  const { tools, state } = app;
  const { po_tokens, pot_provider_url: url, pot_provider_proxy: proxyUrl } = await readPoTokenSettings(app);
  if (po_tokens === 'never') throw new MessageError(message('pot.off'));
  if (po_tokens === 'provider' && !url) throw new MessageError(message('pot.no-provider'));
  const { createOwnSource } = await import('../../platform/pot/own-source.ts');
  const { createProviderSource } = await import('../../platform/pot/provider-source.ts');
  // From here to the assignment nothing waits, so that there is only one source.
  const settings = JSON.stringify(po_tokens === 'provider' && [url, proxyUrl]);
  const { source: before } = state.poTokens;
  if (before?.settings === settings) return before.source;
  const source =
    po_tokens === 'provider' && url
      ? createProviderSource({ url, proxyUrl, version: pluginVersion })
      : createOwnSource({ fetch: tools.proxy.fetch });
  state.poTokens.source = { source, settings };
  await before?.source.close();
  return source;
}

async function startService(app: AppContext): Promise<Running> {
  const { openPotService } = await import('../../platform/pot/pot-service.ts');
  const service = await openPotService({
    source: {
      request: async (request, signal) => (await sourceFor(app)).request(request, signal),
      close: async () => app.state.poTokens.source?.source.close(),
    },
    version: pluginVersion,
    onFailure: (why) => app.log.warn(`cannot create a PO token: ${renderMessages(why)}`),
  });
  return { service, idle: setTimeout(() => stopService(app), idleMs).unref() };
}

/**
 * Returns the address of the service for yt-dlp and the folder of its plugin, or null if yt-dlp works without. A missing plugin
 * is installed in the background.
 */
export async function poTokenProvider(app: AppContext): Promise<{ url: string; pluginsFolder: string } | null> {
  const { tools, state, log } = app;
  if (!isActive(app, await readPoTokenSettings(app)) || !tools.ytdlp || tools.ytdlp.version < oldestYtdlp) return null;
  const { pluginsFolder } = tools;
  if (!pluginsFolder) {
    void tryToInstallPotPlugin(app);
    return null;
  }
  const running = await (state.poTokens.running ??= startService(app)).catch((error: unknown) => {
    log.warn({ err: error }, 'cannot start the service for PO tokens');
    return (state.poTokens.running = null);
  });
  running?.idle.refresh();
  return running && { url: running.service.url, pluginsFolder };
}

/**
 * Makes “Automatic” create tokens for an hour, if a failure says that one was missing. Returns whether this
 * attempt had none, so that a retry is worthwhile at once.
 */
export async function needPoTokens(app: AppContext, { kind }: { kind: string }): Promise<boolean> {
  const { state, now } = app;
  if (kind !== 'token' || (await readPoTokenSettings(app)).po_tokens !== 'auto') return false;
  const isNew = now() >= state.poTokens.neededUntil;
  state.poTokens.neededUntil = now() + neededSeconds;
  if (isNew) void tryToInstallPotPlugin(app);
  return isNew;
}

// A video of the site, so that a provider returns the same token again until it expires.
const testBinding = 'jNQXAC9IVRw';
const testMs = 30_000;

/**
 * Creates a token like yt-dlp would get it.
 * @throws MessageError
 */
export async function testPoToken(app: AppContext): Promise<PoTokenTest> {
  const source = await sourceFor(app);
  const startedAt = Date.now();
  const { token, createdAt } = await source.request({ binding: testBinding }, AbortSignal.timeout(testMs));
  const now = Date.now();
  await installPotPlugin(app, { isRetry: true });
  return { length: token.length, age: Math.floor((now - createdAt) / 1000), milliseconds: now - startedAt };
}

/** Ends the service, its processes and an installation of the plugin. The next use starts them again. */
export async function closePoTokens(app: Pick<AppContext, 'state'>): Promise<void> {
  const { potPlugin } = app.state;
  potPlugin?.ending.abort();
  await potPlugin?.installed.catch(() => undefined);
  await stopService(app);
}

async function stopService({ state }: Pick<AppContext, 'state'>): Promise<void> {
  const { running, source } = state.poTokens;
  Object.assign(state.poTokens, { running: null, source: null });
  const { service, idle } = (await running?.catch(() => null)) ?? {};
  clearTimeout(idle);
  await service?.close();
  await source?.source.close();
}
