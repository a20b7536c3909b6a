import { inBatches } from '../in-batches.ts';
import type { Entry } from '../ytdlp/listing.ts';
import { wireId } from '../ytdlp/wire-id.ts';
import type { Adding } from './adding.ts';
import { addVideo, putAllOnQueue, putOnQueue, whenOver } from './add-video.ts';
import type { Wanted } from './classify.ts';
import { rememberListed, seenIds, takenIds } from './listed-store.ts';
import { pause } from './pause.ts';
import { judge, type Rules } from './rules.ts';
import type { NewItem } from './store.ts';

/** How the entries of one source are taken. */
export interface Taking {
  /** What all of them are, where the listing is of one kind. */
  kind: Wanted['kind'] | undefined;
  /** Null: everything is wanted. */
  rules: Rules | null;
  sleepSeconds: number | null;
  /** The channel whose listing it is, where entries do not say. */
  channel?: { id: string; name: string } | undefined;
  /** Ends after so many entries in a row that were there already: what follows is older still. */
  endAfterKnown?: number;
  /** Of the first entry in the whole listing, from 0. */
  place?: number;
  /** Called when everything up to this place is on the queue, or left out. */
  reached?(place: number): Promise<void>;
}

// One statement for so many; small enough that the first of a long list is downloaded while the rest is being looked up.
const batchSize = 30;

const idOf = (entry: Entry) => wireId(entry.site, entry.siteId);

const itemOf = (entry: Entry, { manner, archive }: Adding, { kind, channel }: Taking): NewItem => ({
  id: idOf(entry),
  site: entry.site,
  siteId: entry.siteId,
  url: entry.url,
  title: entry.title ?? entry.siteId,
  channelId: entry.channelId ?? channel?.id ?? '',
  channelName: entry.channelName ?? channel?.name ?? '',
  kind: kind ?? entry.kind ?? 'unknown',
  durationSeconds: entry.durationSeconds,
  // A date that was guessed from "3 weeks ago" is good enough to judge by, and not to keep.
  publishedAt: entry.isDateGuessed ? null : entry.publishedAt,
  thumbnailUrl: entry.thumbnailUrl,
  status: manner.status,
  autoStart: manner.autostart && manner.status === 'pending' ? 1 : 0,
  isForced: 0, // only what was asked for by itself is fetched again
  queuedAt: archive.now(),
});

const remember = (adding: Adding, taking: Taking, entries: Entry[]) =>
  rememberListed(
    adding.archive.db,
    entries.map((entry) => {
      const { id, title, channelId, kind, durationSeconds = null, publishedAt = null } = itemOf(entry, adding, taking);
      return {
        videoId: id,
        title,
        channelId,
        kind,
        durationSeconds,
        publishedAt: publishedAt ?? entry.publishedAt,
        isMembersOnly: entry.isMembersOnly ? 1 : 0,
        listedAt: adding.archive.now(),
      };
    }),
  );

/**
 * Puts what a listing names on the queue, but for what is there already and what the rules leave out; one bad entry is a line
 * in the report. Holds no more than a page of it in memory. Answers how many entries it saw.
 */
export async function takeEntries(adding: Adding, entries: AsyncIterable<Entry> | Iterable<Entry>, taking: Taking) {
  const { archive, work, manner } = adding;
  const each: Adding = { ...adding, manner: { ...manner, force: false } };
  const leftOut = taking.rules && judge(taking.rules, archive.now());
  // Without looking each one up, what the listing tells must do, even where it only guesses.
  const looksUp = !manner.flat && manner.status === 'pending';
  let place = taking.place ?? 0;
  let knownInARow = 0;

  for await (const batch of inBatches(entries, batchSize)) {
    const ids = batch.map(idOf);
    const there = await takenIds(archive.db, ids);
    const seen = leftOut ? await seenIds(archive.db, ids) : there;
    await remember(each, taking, batch);
    const wanted: { entry: Entry; item: NewItem }[] = [];
    for (const entry of batch) {
      const item = itemOf(entry, each, taking);
      const at = place++;
      knownInARow = there.has(item.id) ? knownInARow + 1 : 0;
      if (there.has(item.id)) continue;
      const judged = { ...item, durationSeconds: entry.durationSeconds, isMembersOnly: entry.isMembersOnly };
      const publishedAt = looksUp && entry.isDateGuessed ? null : entry.publishedAt;
      const out = leftOut?.({ ...judged, publishedAt }, at);
      if (!out) wanted.push({ entry, item: whenOver(entry, item) });
      // What was left out before is left out again each time, and told but once.
      else if (!seen.has(item.id)) work.note({ kind: 'left-out', what: item.title, why: out.sentence, videoId: item.id });
    }
    if (!looksUp)
      await putAllOnQueue(
        each,
        wanted.map(({ item }) => item),
      );
    else
      for (const { entry, item } of wanted) {
        work.signal.throwIfAborted();
        work.report({ messages: [entry.playlist?.title ?? taking.channel?.name ?? item.channelName, `Adding ${item.title}`] });
        try {
          if (item.failure || !entry.playlist) await putOnQueue(each, item);
          else {
            const kind = item.kind === 'unknown' ? undefined : item.kind;
            await addVideo(each, { id: item.id, url: entry.url, kind }, { listed: item, leftOut });
            await pause(taking.sleepSeconds, work.signal);
          }
        } catch (problem) {
          work.signal.throwIfAborted();
          work.skip(item.title, problem, { videoId: item.id });
        }
      }
    work.signal.throwIfAborted();
    await taking.reached?.(place);
    if (taking.endAfterKnown && knownInARow >= taking.endAfterKnown) break;
  }
  return place - (taking.place ?? 0);
}
