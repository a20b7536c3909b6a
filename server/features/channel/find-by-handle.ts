import { message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { safeDecodeUri } from '../../platform/lib/safe-decode-uri.ts';
import { parseInput, type ParsedInput } from '../../archive/sites/parse-input.ts';
import { cooldownOf, startCooldown } from '../../archive/sites/site-cooldowns.ts';
import { tooMany } from '../../platform/http/http-error.ts';
import { YtdlpFailed } from '../../platform/ytdlp/failure.ts';
import { lookUpChannelPage } from '../../archive/channel/save-channel.ts';
import { findChannel, findChannelById } from '../../archive/channel/store.ts';

const longestMs = 30_000;
const rememberedMs = 7 * 86_400_000;
// Lookups run one at a time: each starts a process of about 70 MB for an address that the caller chooses.
const maxWaiting = 5;
const retryAfterSeconds = 30;

interface Lookups {
  /** Resolved channel id per address, and the time of the lookup. */
  remembered: Map<string, { id: string | null; at: number }>;
  waiting: number;
  /** Resolves when the last queued lookup has ended. */
  last: Promise<unknown>;
}

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    channelLookups: Lookups;
  }
}

async function lookUpOnce(app: AppContext, lookups: Lookups, wanted: ParsedInput): Promise<string | null> {
  const { remembered } = lookups;
  const before = remembered.get(wanted.url);
  if (before && Date.now() - before.at < rememberedMs) return before.id;
  if (await cooldownOf(app, wanted)) return null;
  const signal = AbortSignal.timeout(longestMs);
  const id = await lookUpChannelPage(app, wanted.url, signal, { cookies: false }).then(
    (info) => info.id,
    async (error: unknown) => {
      if (wanted.what === 'channel' && error instanceof YtdlpFailed) await startCooldown(app, 'youtube', error.failure);
      return null; // no such channel, or no answer: treated as unknown
    },
  );
  if (remembered.size > 10_000) remembered.clear();
  remembered.set(wanted.url, { id, at: Date.now() });
  return id;
}

/**
 * Asks the site, without cookies and one lookup at a time, which channel an address refers to. @throws 429 if too many lookups
 * wait.
 */
async function askSite(app: AppContext, wanted: ParsedInput): Promise<string | null> {
  const lookups = app.state.channelLookups;
  if (lookups.waiting > maxWaiting) throw tooMany(message('error.too-many-lookups'), retryAfterSeconds);
  lookups.waiting++;
  const lookup = lookups.last.then(() => lookUpOnce(app, lookups, wanted)).finally(() => lookups.waiting--);
  lookups.last = lookup.catch(() => {});
  return lookup;
}

/**
 * Returns the archived channel for an id, a handle or an address. The site is asked only if the database has no answer and
 * `mayAskSite` is set. @throws 429 if too many lookups wait.
 */
export async function findByHandle(app: AppContext, text: string, { mayAskSite }: { mayAskSite: boolean }) {
  const wanted = parseInput(text.trim());
  if (wanted?.what !== 'channel' && wanted?.what !== 'page') return findChannelById(app.db, text.trim());
  const named = wanted.id ?? /\/(@[^/]+)$/.exec(safeDecodeUri(wanted.url))?.[1];
  const known = named && (await findChannelById(app.db, named));
  if (known || wanted.id) return known || undefined;
  const byUrl = await app.db.selectFrom('channel').selectAll().where('url', '=', wanted.url).executeTakeFirst();
  if (byUrl || !mayAskSite || !app.tools.ytdlp) return byUrl;
  const id = await askSite(app, wanted);
  return id ? findChannel(app.db, id) : undefined;
}
