import { MessageError } from '../../platform/messages/message-error.ts';
import { message, messages } from '#contract/messages.ts';
import { z } from 'zod';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { EnqueueContext } from '../download/enqueue-context.ts';
import { downloadPending } from '../download/download-pending.ts';
import { classifyDownloadError } from '../../archive/publish/classify-error.ts';
import { isCoolingDown, startCooldown } from '../../archive/sites/site-cooldowns.ts';
import { subscribedPlaylists, scanPlaylist } from './scan-playlist.ts';
import { readSettings, parseOverrides } from '../../archive/settings/store.ts';
import { markUnavailable } from '../../archive/sites/mark-unavailable.ts';
import type { EventVideo } from '#contract/notify.ts';
import { queueNewVideos } from '../../archive/outbox/queue-event.ts';
import { defineTask, type Note, type Report, type TaskWork } from '../../platform/context/task.ts';
import { scanChannel } from './scan-channel.ts';
import { subscribedChannels } from '../../archive/channel/store.ts';

const Input = z.object({
  /** Default: all subscribed channels. */
  channels: z.array(z.string()).optional(),
  playlists: z.array(z.string()).optional(),
});
type Input = z.infer<typeof Input>;

interface Source {
  table: 'channel' | 'playlist';
  id: string;
  name: string;
  site: string;
  /** Whether new uploads are downloaded automatically; null: as in the settings. */
  autoStart: boolean | null;
  scan(adding: EnqueueContext): Promise<void>;
}

async function sourcesOf({ channels, playlists }: Input, { db }: AppContext): Promise<Source[]> {
  const isForAll = !channels && !playlists;
  const some = await subscribedChannels(db, isForAll ? undefined : (channels ?? []));
  const lists = await subscribedPlaylists(db, isForAll ? undefined : (playlists ?? []));
  return [
    ...some.map((row): Source => ({
      table: 'channel',
      id: row.id,
      name: row.name,
      site: row.site,
      autoStart: parseOverrides(row.overwrites).subscriptions_auto_start ?? null,
      scan: (a) => scanChannel(a, row),
    })),
    ...lists.map((row): Source => ({
      table: 'playlist',
      id: row.id,
      name: row.name,
      site: 'youtube',
      autoStart: row.autoStart === null ? null : row.autoStart === 1,
      scan: (a) => scanPlaylist(a, row),
    })),
  ];
}

/** Scans one source. A failure is reported, and starts a cooldown if the site blocked this server. */
async function scanOne(app: AppContext, work: TaskWork<Input>, source: Source, adding: EnqueueContext) {
  const { db, now } = app;
  if (await isCoolingDown(app, source.site)) return work.skip(source.name, message('scan.paused', { site: source.site }));
  try {
    await source.scan(adding);
    await db.updateTable(source.table).set({ scannedAt: now() }).where('id', '=', source.id).execute();
  } catch (problem) {
    work.signal.throwIfAborted();
    const failure = classifyDownloadError(problem);
    await startCooldown(app, source.site, failure);
    const isGone = await markUnavailable(db, source.table, source.id, { kind: failure.kind, now: now() });
    work.skip(source.name, isGone ? [failure.message, message('scan.gone')] : failure.message);
  }
}

/** Scans all subscriptions for new videos. */
export const scanSubscriptions = defineTask<Input>({
  name: 'update_subscribed',
  title: messages['task.update_subscribed'],
  group: 'download:scan',
  isStartable: true,
  isStoppable: true,
  schedule: { auto: '0 8 *', isOnFromTheStart: 'new' },
  needs: ['ytdlp'],
  input: Input,

  async run(work, app) {
    if (!app.tools.ytdlp) throw new MessageError(message('queue.no-ytdlp'));
    const { subscriptions } = await readSettings(app.db);
    const sources = await sourcesOf(work.input, app);
    let count = 0;
    let isDownloading = false;
    const download = () => app.tasks.start(downloadPending, { autoOnly: true });
    const addingFor = ({ autoStart }: Source): EnqueueContext => {
      const autostart = autoStart ?? subscriptions.auto_start;
      return {
        app,
        work,
        manner: {
          autostart,
          flat: subscriptions.extract_flat,
          force: false,
          status: 'pending',
          isOnRequest: autoStart === false,
        },
        async added(more = 1) {
          count += more;
          if (!autostart || isDownloading) return;
          isDownloading = true;
          await download();
        },
      };
    };
    for (const [place, source] of sources.entries()) {
      work.signal.throwIfAborted();
      const progress = place / sources.length;
      work.report({
        messages: [message('scan.running', { name: source.name, place: place + 1, count: sources.length })],
        progress,
      });
      const report = ({ messages }: Report) => work.report({ messages, progress });
      const found: EventVideo[] = [];
      const note = (line: Note) => {
        if (line.kind === 'new' && line.videoId && typeof line.what === 'string')
          found.push({ id: line.videoId, title: line.what });
        work.note(line);
      };
      try {
        await scanOne(app, work, source, { ...addingFor(source), work: { ...work, report, note } });
      } finally {
        await queueNewVideos(app.db, { kind: source.table, id: source.id, name: source.name }, found, app.now());
      }
    }
    app.announce('channel', 'playlist', 'download');
    if (isDownloading) await download();
    return count > 0 ? message('scan.found', { count }) : undefined;
  },
});
