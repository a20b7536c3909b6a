import { MessageError } from '../../platform/messages/message-error.ts';
import { message, plainText } from '#contract/messages.ts';
import { listPlaylist } from '../../archive/playlist/list-playlist.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { YtdlpFailed } from '../../platform/ytdlp/failure.ts';
import { listEntries } from '../../platform/ytdlp/listing.ts';
import { ytdlpSession } from '../../archive/sites/ytdlp-session.ts';
import type { EnqueueContext } from './enqueue-context.ts';
import { enqueuePage } from './enqueue-video.ts';
import type { ParsedInput } from '../../archive/sites/parse-input.ts';
import { endListing, saveListingPosition, listingPosition } from '../../archive/queue/seen-entries.ts';
import { needsDates, type Rules } from '../../archive/queue/filter-rules.ts';
import { enqueueEntries, type EntryOptions } from './enqueue-entries.ts';

const allTabs = ['videos', 'streams', 'shorts'] as const;
export type Tab = (typeof allTabs)[number];

interface Of {
  url: string;
  kind?: ParsedInput['kind'] | undefined;
  rules: Rules | null;
  /** Maximum number of entries, newest first. */
  limit?: number | undefined;
  channel?: EntryOptions['channel'];
  endAfterKnown?: number;
  backCatalogue?: EntryOptions['backCatalogue'];
  previousScanAt?: EntryOptions['previousScanAt'];
}

// An interrupted listing resumes some entries earlier, because newer uploads have moved the rest down since.
const overlap = 60;

/** Enqueues the entries of a listing, newest first. An interrupted run resumes at its last position. */
export async function enqueueNewEntries(
  adding: EnqueueContext,
  { url, kind, rules, limit, channel, endAfterKnown, backCatalogue = null, previousScanAt = null }: Of,
): Promise<number> {
  const { app, work } = adding;
  const { downloads } = await readSettings(app.db);
  const reached = await listingPosition(app.db, url, app.now());
  const from = Math.max(1, reached - overlap);
  const listing = listEntries(await ytdlpSession(app), url, {
    lang: downloads.extractor_lang,
    signal: work.signal,
    from,
    guessesDates: rules !== null && needsDates(rules),
    ...(limit && { limit }),
  });
  const seen = await enqueueEntries(adding, listing, {
    kind,
    rules,
    channel,
    place: from - 1,
    sleepSeconds: downloads.sleep_interval,
    backCatalogue,
    previousScanAt,
    ...(endAfterKnown && { endAfterKnown }),
    async reached(place) {
      work.report({ messages: [plainText(channel?.name ?? url), message('queue.entries', { count: place })] });
      await saveListingPosition(app.db, url, place, app.now());
    },
  });
  await endListing(app.db, url);
  return seen;
}

/** Returns whether a page is a list of videos and not a single video. */
async function listsSeveral({ app, work }: EnqueueContext, url: string): Promise<boolean> {
  const { downloads } = await readSettings(app.db);
  let count = 0;
  const options = { limit: 2, lang: downloads.extractor_lang, signal: work.signal };
  for await (const _ of listEntries(await ytdlpSession(app), url, options)) if (++count > 1) return true;
  return false;
}

/** Enqueues the tabs of a channel with the video type of each tab. Returns the tabs that exist; a missing tab is not an error. */
export async function enqueueTabs(adding: EnqueueContext, tabs: readonly Tab[], of: (tab: Tab) => Of): Promise<Tab[]> {
  const existingTabs: Tab[] = [];
  for (const tab of tabs) {
    try {
      await enqueueNewEntries(adding, of(tab));
      existingTabs.push(tab);
    } catch (problem) {
      if (!(problem instanceof YtdlpFailed && problem.failure.isNoTab)) throw problem;
    }
  }
  return existingTabs;
}

/** Enqueues the videos of a channel, a playlist or another page. */
export async function enqueueListing(adding: EnqueueContext, wanted: ParsedInput) {
  const { app, work } = adding;
  const { what, url, kind } = wanted;
  if (what === 'channel') {
    const tabs = await enqueueTabs(adding, kind ? [kind] : allTabs, (tab) => ({ url: `${url}/${tab}`, kind: tab, rules: null }));
    if (tabs.length === 0) throw new MessageError(message('failure.no-tab', { what: kind ?? 'videos' }));
    return;
  }
  if (what === 'page') {
    if (!(await listsSeveral(adding, url))) return enqueuePage(adding, url);
    await enqueueNewEntries(adding, { url, kind, rules: null });
    return;
  }
  const { downloads } = await readSettings(app.db);
  const { entries } = await listPlaylist(app, url, work.signal);
  await enqueueEntries(adding, entries, { kind, rules: null, sleepSeconds: downloads.sleep_interval });
}
