import { z } from 'zod';
import type { Archive } from '../archive.ts';
import { currentSettings } from '../settings/read.ts';
import { defineTask, type Work } from '../task/task.ts';
import { YtdlpFailed } from '../ytdlp/failure.ts';
import { listEntries } from '../ytdlp/listing.ts';
import { ytdlpOf } from '../ytdlp-of.ts';
import { listPlaylist } from './list-playlist.ts';

const Input = z.object({ channels: z.array(z.string()) });

/** Indexes those playlists of a channel of which something is archived. Answers how many. */
async function indexThoseOf(archive: Archive, id: string, { signal, report, skip }: Work<unknown>): Promise<number> {
  const channel = await archive.db.selectFrom('channel').select(['name', 'url']).where('id', '=', id).executeTakeFirst();
  if (!channel?.url) return 0;
  const { downloads } = await currentSettings(archive);
  const where = { lang: downloads.extractor_lang, signal };
  let count = 0;
  try {
    for await (const list of listEntries(await ytdlpOf(archive), `${channel.url.replace(/\/+$/, '')}/playlists`, where)) {
      report({ messages: [channel.name, list.title ?? list.siteId] });
      try {
        if ((await listPlaylist(archive, list.url, signal, { onlyIfArchived: true })).id) count++;
      } catch (problem) {
        signal.throwIfAborted();
        skip(list.title ?? list.siteId, problem);
      }
    }
  } catch (problem) {
    if (!(problem instanceof YtdlpFailed && problem.failure.isNoTab)) throw problem; // a channel may have none
  }
  return count;
}

/** Looks for the playlists of channels, and keeps those of which something is archived. */
export const indexPlaylists = defineTask<z.infer<typeof Input>>({
  name: 'index_playlists',
  title: 'Index Channel Playlist',
  group: 'channel:indexplaylist',
  isStartable: false,
  isStoppable: true,
  isParallel: true,
  input: Input,

  async run(work, archive) {
    let count = 0;
    for (const id of work.input.channels) {
      try {
        count += await indexThoseOf(archive, id, work);
      } catch (problem) {
        work.signal.throwIfAborted();
        work.skip(id, problem);
      }
    }
    return count > 0 ? `Indexed ${count} playlist(s).` : undefined;
  },
});
