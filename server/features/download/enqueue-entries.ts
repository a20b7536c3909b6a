import { message, plainText } from '#contract/messages.ts';
import type { BackCatalogue } from '../../platform/db/schema/tables.ts';
import { batchesOf } from '../../platform/lib/batch.ts';
import type { Entry } from '../../platform/ytdlp/listing.ts';
import { publicId } from '../../platform/ytdlp/public-id.ts';
import type { EnqueueContext } from './enqueue-context.ts';
import { addVideo, enqueueVideos, enqueueStreamOrVideo, afterStream, waits } from './enqueue-video.ts';
import type { ParsedInput } from '../../archive/sites/parse-input.ts';
import { archivedOrQueuedIds, deletedAtOf, markSeen, seenIds, skippedIds } from '../../archive/queue/seen-entries.ts';
import { jitteredDelay } from '../../archive/sites/jittered-delay.ts';
import { applyRules, type Rules } from '../../archive/queue/filter-rules.ts';
import type { NewItem } from '../../archive/queue/claims.ts';

/** Options for the entries of one listing. */
export interface EntryOptions {
  /** Video type of all entries, if the listing has only one type. */
  kind: ParsedInput['kind'] | undefined;
  /** Null: no rules apply. */
  rules: Rules | null;
  sleepSeconds: number | null;
  /** Channel of the listing, for entries that do not name one. */
  channel?: { id: string; name: string } | undefined;
  /** Set on the first scan of a subscription. `none` skips everything listed now, in later scans too. */
  backCatalogue?: BackCatalogue | null;
  /** When the listing was scanned before; videos deleted earlier have been reported. */
  previousScanAt?: number | null;
  /** Stops after this many known entries in a row, because listings are sorted newest first. */
  endAfterKnown?: number;
  /** Index of the first entry in the whole listing, from 0. */
  place?: number;
  /** Called when every entry before this index is enqueued or skipped. */
  reached?(place: number): Promise<void>;
}

// Entries per insert statement. Small, so that the first entries of a long listing are downloaded while the rest is resolved.
const batchSize = 30;

const idOf = (entry: Entry) => publicId(entry.site, entry.siteId);

const itemOf = (entry: Entry, { manner, app }: EnqueueContext, { kind, channel }: EntryOptions): NewItem => ({
  id: idOf(entry),
  site: entry.site,
  siteId: entry.siteId,
  url: entry.url,
  title: entry.title ?? entry.siteId,
  channelId: entry.channelId ?? channel?.id ?? '',
  channelName: entry.channelName ?? channel?.name ?? '',
  kind: kind ?? entry.kind ?? 'unknown',
  durationSeconds: entry.durationSeconds,
  // A date estimated from "3 weeks ago" is used for the rules and not stored.
  publishedAt: entry.isDateGuessed ? null : entry.publishedAt,
  thumbnailUrl: entry.thumbnailUrl,
  status: manner.status,
  autoStart: manner.autostart && manner.status === 'pending' ? 1 : 0,
  isOnRequest: manner.isOnRequest ? 1 : 0,
  isForced: 0, // only individually added items are downloaded again
  queuedAt: app.now(),
});

const remember = (adding: EnqueueContext, taking: EntryOptions, entries: Entry[]) =>
  markSeen(
    adding.app.db,
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
        seenAt: adding.app.now(),
        isSkipped: taking.backCatalogue === 'none' ? 1 : 0,
      };
    }),
    { setsSkipped: Boolean(taking.backCatalogue) },
  );

/**
 * Enqueues the entries of a listing, except known entries and those that the rules exclude. An invalid entry is reported and does
 * not stop the run. Holds at most one page in memory. Returns the number of entries read.
 */
export async function enqueueEntries(
  adding: EnqueueContext,
  entries: AsyncIterable<Entry> | Iterable<Entry>,
  taking: EntryOptions,
) {
  const { app, work, manner } = adding;
  const each: EnqueueContext = { ...adding, manner: { ...manner, force: false } };
  const leftOut = taking.rules && applyRules(taking.rules, app.now());
  // Without a lookup per video, the rules use the data of the listing, including estimates.
  const looksUp = !manner.flat && manner.status === 'pending';
  let place = taking.place ?? 0;
  let knownInARow = 0;

  for await (const batch of batchesOf(entries, batchSize)) {
    const ids = batch.map(idOf);
    const knownIds = await archivedOrQueuedIds(app.db, ids);
    if (!taking.backCatalogue) for (const id of await skippedIds(app.db, ids)) knownIds.add(id);
    // A scan does not bring back what was deleted; adding a channel or playlist by its URL does.
    const deleted = leftOut && !taking.backCatalogue ? await deletedAtOf(app.db, ids) : new Map<string, number>();
    const seen = leftOut ? await seenIds(app.db, ids) : knownIds;
    await remember(each, taking, batch);
    if (taking.backCatalogue === 'none') {
      place += batch.length;
      await taking.reached?.(place);
      continue;
    }
    const wanted: { entry: Entry; item: NewItem }[] = [];
    for (const entry of batch) {
      const item = itemOf(entry, each, taking);
      const at = place++;
      knownInARow = knownIds.has(item.id) ? knownInARow + 1 : 0;
      if (knownIds.has(item.id)) continue;
      const deletedAt = deleted.get(item.id);
      if (deletedAt) {
        knownInARow++;
        if (deletedAt >= (taking.previousScanAt ?? 0))
          work.note({ kind: 'left-out', what: item.title, why: message('rule.deleted'), videoId: item.id });
        continue;
      }
      const judged = { ...item, durationSeconds: entry.durationSeconds, isMembersOnly: entry.isMembersOnly };
      const publishedAt = looksUp && entry.isDateGuessed ? null : entry.publishedAt;
      const out = leftOut?.({ ...judged, publishedAt }, at);
      if (!out) wanted.push({ entry, item });
      // An entry that is skipped on every scan is reported only the first time.
      else if (!seen.has(item.id)) work.note({ kind: 'left-out', what: item.title, why: out.message, videoId: item.id });
    }
    if (!looksUp) await enqueueVideos(each, await Promise.all(wanted.map(({ entry, item }) => afterStream(app, entry, item))));
    else
      for (const { entry, item } of wanted) {
        work.signal.throwIfAborted();
        work.report({
          messages: [
            plainText(entry.playlist?.title ?? taking.channel?.name ?? item.channelName),
            message('queue.adding', { title: item.title }),
          ],
        });
        try {
          if (waits(entry) || !entry.playlist) await enqueueStreamOrVideo(each, entry, item);
          else {
            const kind = item.kind === 'unknown' ? undefined : item.kind;
            await addVideo(each, { ...item, kind }, { listed: item, leftOut });
            await jitteredDelay(taking.sleepSeconds, work.signal);
          }
        } catch (problem) {
          work.signal.throwIfAborted();
          work.skip(item.title, problem as Error, { videoId: item.id });
        }
      }
    work.signal.throwIfAborted();
    await taking.reached?.(place);
    if (taking.endAfterKnown && knownInARow >= taking.endAfterKnown) break;
  }
  return place - (taking.place ?? 0);
}
