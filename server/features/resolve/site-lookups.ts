import type { FailureKind } from '#contract/download.ts';
import type { Message } from '#contract/messages.ts';
import type { ParsedInput } from '../../archive/sites/parse-input.ts';
import { startCooldown } from '../../archive/sites/site-cooldowns.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { messagesOf } from '../../platform/messages/message-error.ts';
import { YtdlpFailed } from '../../platform/ytdlp/failure.ts';
import { setNewest } from '../../platform/lib/set-newest.ts';
import { askSite, nothingFound, type FoundAtSite } from './ask-site.ts';

const maxRunning = 2;
const maxKept = 100;
const keptMs = 10 * 60_000;

export interface SiteLookup {
  readonly wanted: ParsedInput;
  state: 'waiting' | 'running' | 'done' | 'failed';
  /** Filled while the lookup runs. */
  readonly found: FoundAtSite;
  problem: { messages: Message[]; failure: FailureKind | null } | null;
  /** Times of `performance.now()`. */
  requestedAt: number;
  endedAt: number;
  readonly ending: AbortController;
  /** Resolves when its processes have ended. */
  over: Promise<void>;
}

interface SiteLookups {
  /** By URL and kind, the one requested last at the end. */
  readonly byKey: Map<string, SiteLookup>;
  /** A lookup that was not requested for so long is aborted. */
  abandonedMs: number;
  /** Checks for abandoned lookups while there are any. */
  timer: NodeJS.Timeout | null;
}

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    siteLookups: SiteLookups;
  }
}

export const createSiteLookups = (): SiteLookups => ({ byKey: new Map(), abandonedMs: 15_000, timer: null });

const keyOf = ({ url, kind }: ParsedInput) => `${url} ${kind ?? ''}`;
const isActive = ({ state }: SiteLookup) => state === 'waiting' || state === 'running';

/** Returns the lookup of a link, if there is one. */
export function findLookup({ state }: Pick<AppContext, 'state'>, wanted: ParsedInput): SiteLookup | undefined {
  const lookup = state.siteLookups.byKey.get(keyOf(wanted));
  return lookup && (isActive(lookup) || performance.now() - lookup.endedAt < keptMs) ? lookup : undefined;
}

/** Returns the lookup of a link and keeps it running, or starts it in the background. */
export function requestLookup(app: AppContext, wanted: ParsedInput): SiteLookup {
  const { siteLookups } = app.state;
  const lookup = findLookup(app, wanted) ?? createLookup(wanted);
  lookup.requestedAt = performance.now();
  const [oldest] = siteLookups.byKey.values();
  if (oldest && siteLookups.byKey.size >= maxKept && !siteLookups.byKey.has(keyOf(wanted))) oldest.ending.abort();
  setNewest(siteLookups.byKey, keyOf(wanted), lookup, maxKept);
  startWaiting(app);
  siteLookups.timer ??= setInterval(() => abortAbandoned(app), Math.min(1000, siteLookups.abandonedMs)).unref();
  return lookup;
}

const createLookup = (wanted: ParsedInput): SiteLookup => ({
  wanted,
  state: 'waiting',
  found: nothingFound(),
  problem: null,
  requestedAt: 0,
  endedAt: 0,
  ending: new AbortController(),
  over: Promise.resolve(),
});

function startWaiting(app: AppContext) {
  const all = [...app.state.siteLookups.byKey.values()];
  const free = maxRunning - all.filter(({ state }) => state === 'running').length;
  const next = all.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free));
  for (const lookup of next) {
    lookup.state = 'running';
    lookup.over = run(app, lookup);
  }
}

async function run(app: AppContext, lookup: SiteLookup): Promise<void> {
  const { wanted, found, ending } = lookup;
  try {
    await askSite(app, wanted, found, ending.signal);
    lookup.state = 'done';
  } catch (error) {
    lookup.state = 'failed';
    if (!ending.signal.aborted) await fail(app, lookup, error as Error);
  } finally {
    lookup.endedAt = performance.now();
    if (!ending.signal.aborted) startWaiting(app);
  }
}

async function fail(app: AppContext, lookup: SiteLookup, error: Error) {
  const { site, what } = lookup.wanted;
  const failure = error instanceof YtdlpFailed ? error.failure : null;
  lookup.problem = { messages: messagesOf(error), failure: failure?.kind ?? null };
  const refusing = site ?? (what === 'page' ? undefined : 'youtube');
  if (refusing && failure) await startCooldown(app, refusing, failure).catch(() => undefined);
}

/** Aborts lookups that no open page requests any more, and forgets them. */
function abortAbandoned(app: AppContext) {
  const { siteLookups } = app.state;
  const now = performance.now();
  for (const [key, lookup] of siteLookups.byKey)
    if (isActive(lookup) && now - lookup.requestedAt > siteLookups.abandonedMs) {
      lookup.ending.abort();
      siteLookups.byKey.delete(key);
    }
  startWaiting(app);
  if ([...siteLookups.byKey.values()].some(isActive) || !siteLookups.timer) return;
  clearInterval(siteLookups.timer);
  siteLookups.timer = null;
}

/** Aborts all lookups and resolves when their processes have ended. */
export async function closeSiteLookups({ state }: Pick<AppContext, 'state'>): Promise<void> {
  const { byKey, timer } = state.siteLookups;
  if (timer) clearInterval(timer);
  state.siteLookups.timer = null;
  const all = [...byKey.values()];
  byKey.clear();
  for (const { ending } of all) ending.abort();
  await Promise.all(all.map(({ over }) => over));
}
