import { listPlaylist } from '../playlist/list-playlist.ts';
import { currentSettings } from '../settings/read.ts';
import { YtdlpFailed } from '../ytdlp/failure.ts';
import { listEntries } from '../ytdlp/listing.ts';
import { ytdlpOf } from '../ytdlp-of.ts';
import type { Adding } from './adding.ts';
import { addPage } from './add-video.ts';
import type { Wanted } from './classify.ts';
import { endListing, noteReached, reachedIn } from './listed-store.ts';
import { needsDates, type Rules } from './rules.ts';
import { takeEntries, type Taking } from './take-entries.ts';

const allTabs = ['videos', 'streams', 'shorts'] as const;
export type Tab = (typeof allTabs)[number];

interface Of {
  url: string;
  kind?: Wanted['kind'] | undefined;
  rules: Rules | null;
  /** Only so many of the newest. */
  limit?: number | undefined;
  channel?: Taking['channel'];
  endAfterKnown?: number;
}

// A listing that was stopped goes on a little before where it was: newer entries have pushed the rest down since.
const overlap = 60;

/** Adds what a listing names, newest first. One that is stopped on its way goes on from there the next time. */
export async function addEntries(adding: Adding, { url, kind, rules, limit, channel, endAfterKnown }: Of): Promise<number> {
  const { archive, work } = adding;
  const { downloads } = await currentSettings(archive);
  const reached = await reachedIn(archive.db, url, archive.now());
  const from = Math.max(1, reached - overlap);
  const listing = listEntries(await ytdlpOf(archive), url, {
    lang: downloads.extractor_lang,
    signal: work.signal,
    from,
    guessesDates: rules !== null && needsDates(rules),
    ...(limit && { limit }),
  });
  const seen = await takeEntries(adding, listing, {
    kind,
    rules,
    channel,
    place: from - 1,
    sleepSeconds: downloads.sleep_interval,
    ...(endAfterKnown && { endAfterKnown }),
    async reached(place) {
      work.report({ messages: [channel?.name ?? url, `${place} entries looked at.`] });
      await noteReached(archive.db, url, place, archive.now());
    },
  });
  await endListing(archive.db, url);
  return seen;
}

/** Whether a page lists several videos, or just is one. */
async function listsSeveral({ archive, work }: Adding, url: string): Promise<boolean> {
  const { downloads } = await currentSettings(archive);
  let count = 0;
  const options = { limit: 2, lang: downloads.extractor_lang, signal: work.signal };
  for await (const _ of listEntries(await ytdlpOf(archive), url, options)) if (++count > 1) return true;
  return false;
}

/** Adds the tabs of a channel, each as what it is; answers those that there are. That one is missing is an ordinary answer. */
export async function addTabs(adding: Adding, tabs: readonly Tab[], of: (tab: Tab) => Of): Promise<Tab[]> {
  const there: Tab[] = [];
  for (const tab of tabs) {
    try {
      await addEntries(adding, of(tab));
      there.push(tab);
    } catch (problem) {
      if (!(problem instanceof YtdlpFailed && problem.failure.isNoTab)) throw problem;
    }
  }
  return there;
}

/** Adds the videos of a channel, of a playlist, or of whatever a page turns out to be. */
export async function addListing(adding: Adding, wanted: Wanted) {
  const { archive, work } = adding;
  const { what, url, kind } = wanted;
  if (what === 'channel') {
    const tabs = await addTabs(adding, kind ? [kind] : allTabs, (tab) => ({ url: `${url}/${tab}`, kind: tab, rules: null }));
    if (tabs.length === 0) throw new Error(`The channel has no ${kind ?? 'videos'}.`);
    return;
  }
  if (what === 'page') {
    if (!(await listsSeveral(adding, url))) return addPage(adding, url);
    await addEntries(adding, { url, kind, rules: null });
    return;
  }
  const { downloads } = await currentSettings(archive);
  const { entries } = await listPlaylist(archive, url, work.signal);
  await takeEntries(adding, entries, { kind, rules: null, sleepSeconds: downloads.sleep_interval });
}
