import { message, type Message } from '#contract/messages.ts';
import type { Settings } from '#contract/settings.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { Shutdown, type TaskWork } from '../../platform/context/task.ts';
import { gigabyte } from '../../platform/files/free-space.ts';
import { indexPlaylists } from '../../archive/playlist/index-playlists.ts';
import { claimNext, type Selection } from '../../archive/queue/claims.ts';
import { readOverridesOf, readSettings } from '../../archive/settings/store.ts';
import { usesLogin } from '../../archive/sites/login-egress.ts';
import { jitteredDelay } from '../../archive/sites/jittered-delay.ts';
import { whyNoSpace } from '../../archive/storage/disk-space.ts';
import { freeSpaceFor } from '../rendition/rendition-cache.ts';
import { purgeForSpace } from '../trash/purge-for-space.ts';
import { mergeProgress } from './merge-progress.ts';
import { recordIfWanted } from './start-recording.ts';
import { scheduleAfter } from './stream-schedule.ts';
import { processItem, type ItemOutcome } from './process-item.ts';

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    /** Downloads that this server works on, by number of the queue item. A run may start here while a part in it ends. */
    downloadSlots: Map<number, Promise<void>>;
  }
}

// Polling interval while a listing is still being resolved; entries found so far are downloaded meanwhile.
const lookAgainSeconds = 0.5;

/** Reindexes the playlists of these channels, because they may contain the new videos. */
async function indexTheirPlaylists({ db, tasks }: AppContext, channelIds: Set<string>) {
  const wanted = [];
  for (const id of channelIds) if ((await readOverridesOf(db, id)).index_playlists) wanted.push(id);
  if (wanted.length > 0) await tasks.start(indexPlaylists, { channels: wanted });
}

/** What servers at a network address may claim now. */
export const placeOf = (app: AppContext, egress: string, settings: Settings) => ({
  now: app.now(),
  egress,
  usesLogin: usesLogin(app, settings, egress),
});

/** The downloads of this server in a run: as many at once as the settings allow. */
export function createSlots(app: AppContext, work: TaskWork<unknown>, selection: Selection) {
  const slots = app.state.downloadSlots;
  const startedAt = app.now();
  const channels = new Set<string>();
  const came: Record<ItemOutcome, number> = { archived: 0, failed: 0, 'disk-full': 0, 'put down': 0 };
  const { reportOf, end } = mergeProgress(work.report);
  let interruption = new AbortController();

  return {
    came,
    reportOf,
    endReport: end,

    /** Starts the next download. Returns false if none is waiting, or as many as allowed are running. */
    async takeNext(): Promise<boolean> {
      const settings = await readSettings(app.db);
      const { queue } = settings;
      if (slots.size >= queue.at_once) return false;
      const item = await claimNext(app.db, {
        ...selection,
        runId: app.runId,
        ...placeOf(app, app.nodes.egress, settings),
        perSite: queue.per_site,
        activeItems: [...slots.keys()],
      });
      if (!item) return false;
      const pausesFirst = item.lastVisitAt !== null && item.lastVisitAt >= startedAt;
      const signal = AbortSignal.any([work.signal, interruption.signal]);
      const one = processItem(
        app,
        item,
        { ...work, signal, report: reportOf(item.number) },
        {
          pausesFirst,
          recordIfWanted: (stream) => recordIfWanted(app, stream),
          scheduleAfter: (stream, failure, signal) => scheduleAfter(app, stream, failure, signal),
        },
      );
      slots.set(
        item.number,
        one.then((outcome) => {
          came[outcome]++;
          if (outcome === 'archived') channels.add(item.channelId);
          slots.delete(item.number);
          end(item.number);
        }),
      );
      return true;
    },

    /** Frees space in the rendition cache first, then purges the oldest videos in the trash. Returns why none is left, or null. */
    async whyNone(): Promise<Message[] | null> {
      const wasFull = came['disk-full'] > 0;
      const why = wasFull ? [message('download.disk-full')] : await whyNoSpace(app);
      if (!why) return why;
      const freed = await freeSpaceFor(app, wasFull ? gigabyte : 0);
      const gone = await purgeForSpace(app, { wasFull });
      if (freed === 0 && gone.length === 0) return why;
      came['disk-full'] = 0;
      for (const { title } of gone) work.note({ kind: 'step', what: title, why: message('trash.freed-space') });
      return whyNoSpace(app);
    },

    isIdle: () => slots.size === 0,

    /** Interrupts the downloads of this server, which keep their partial files. Resolves when all have ended. */
    async interrupt(): Promise<void> {
      interruption.abort(new Shutdown('The run is paused.'));
      interruption = new AbortController();
      await Promise.all(slots.values());
    },

    /** Resolves when a download ends or after a moment, because another item may have become available. */
    async next(signal: AbortSignal): Promise<void> {
      if (slots.size === 0) await jitteredDelay(lookAgainSeconds, signal);
      else await Promise.race([...slots.values(), jitteredDelay(lookAgainSeconds, new AbortController().signal)]);
    },

    indexPlaylists: () => indexTheirPlaylists(app, channels),
  };
}
