import { z } from 'zod';
import type { Archive } from '../archive.ts';
import type { Adding } from '../download/adding.ts';
import { downloadPending } from '../download/download-pending.ts';
import { failureOfDownload } from '../download/failure.ts';
import { isPaused, pauseSite } from '../download/site-pause.ts';
import { subscribedPlaylists, scanPlaylist } from '../playlist/scan-playlist.ts';
import { currentSettings } from '../settings/read.ts';
import { noteGone } from '../source-gone.ts';
import { defineTask, type Work } from '../task/task.ts';
import { scanChannel } from './scan-channel.ts';
import { subscribedChannels } from './store.ts';

const Input = z.object({
  /** Only these; all that are subscribed to unless said. */
  channels: z.array(z.string()).optional(),
  playlists: z.array(z.string()).optional(),
});
type Input = z.infer<typeof Input>;

interface Source {
  table: 'channel' | 'playlist';
  id: string;
  name: string;
  site: string;
  scan(adding: Adding): Promise<void>;
}

async function sourcesOf({ channels, playlists }: Input, { db }: Archive): Promise<Source[]> {
  const isForAll = !channels && !playlists;
  const some = await subscribedChannels(db, isForAll ? undefined : (channels ?? []));
  const lists = await subscribedPlaylists(db, isForAll ? undefined : (playlists ?? []));
  return [
    ...some.map((row): Source => ({
      table: 'channel',
      id: row.id,
      name: row.name,
      site: row.site,
      scan: (a) => scanChannel(a, row),
    })),
    ...lists.map((row): Source => ({
      table: 'playlist',
      id: row.id,
      name: row.name,
      site: 'youtube',
      scan: (a) => scanPlaylist(a, row),
    })),
  ];
}

/** Looks at one source; why it could not be is a line in the report, and closes the door of a site that turns us away. */
async function scanOne(archive: Archive, work: Work<Input>, source: Source, adding: Adding) {
  const { db, now } = archive;
  if (await isPaused(db, source.site, now())) return work.skip(source.name, `${source.site} is left alone for now.`);
  try {
    await source.scan(adding);
    await db.updateTable(source.table).set({ scannedAt: now() }).where('id', '=', source.id).execute();
  } catch (problem) {
    work.signal.throwIfAborted();
    const failure = failureOfDownload(problem);
    await pauseSite(db, source.site, failure, now());
    const isGone = await noteGone(db, source.table, source.id, { kind: failure.kind, now: now() });
    work.skip(source.name, isGone ? `${failure.message} It is marked as gone.` : failure.message);
  }
}

/** Looks for new videos of everything that is subscribed to. */
export const scanSubscriptions = defineTask<Input>({
  name: 'update_subscribed',
  title: 'Rescan your Subscriptions',
  group: 'download:scan',
  isStartable: true,
  isStoppable: true,
  schedule: { auto: '0 8 *' },
  input: Input,

  async run(work, archive) {
    if (!archive.tools.ytdlp) throw new Error('yt-dlp is not there yet, so nothing can be looked up.');
    const { subscriptions } = await currentSettings(archive);
    const sources = await sourcesOf(work.input, archive);
    let count = 0;
    const adding: Adding = {
      archive,
      work,
      manner: { autostart: subscriptions.auto_start, flat: subscriptions.extract_flat, force: false, status: 'pending' },
      async added(more = 1) {
        const isFirst = count === 0;
        count += more;
        if (isFirst && subscriptions.auto_start) await archive.tasks.start(downloadPending, { autoOnly: true });
      },
    };
    for (const [place, source] of sources.entries()) {
      work.signal.throwIfAborted();
      const progress = place / sources.length;
      work.report({ messages: [`Looking at ${source.name} (${place + 1}/${sources.length})`], progress });
      const report = ({ messages }: { messages: string[] }) => work.report({ messages, progress });
      await scanOne(archive, work, source, { ...adding, work: { ...work, report } });
    }
    archive.announce('channel', 'playlist', 'download');
    if (count > 0 && subscriptions.auto_start) await archive.tasks.start(downloadPending, { autoOnly: true });
    return count > 0 ? `Found ${count} videos to add to the queue.` : undefined;
  },
});
