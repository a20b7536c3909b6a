import { message, messages, plainText } from '#contract/messages.ts';
import { z } from 'zod';
import type { AppContext } from '../../platform/context/app-context.ts';
import { readSettings } from '../settings/store.ts';
import { defineTask, type TaskWork } from '../../platform/context/task.ts';
import { YtdlpFailed } from '../../platform/ytdlp/failure.ts';
import { listEntries } from '../../platform/ytdlp/listing.ts';
import { ytdlpSession } from '../sites/ytdlp-session.ts';
import { listPlaylist } from './list-playlist.ts';

const Input = z.object({ channels: z.array(z.string()) });

/** Indexes the playlists of a channel that contain archived videos. Returns their number. */
async function indexPlaylistsOf(app: AppContext, id: string, { signal, report, skip }: TaskWork<unknown>): Promise<number> {
  const channel = await app.db.selectFrom('channel').select(['name', 'url']).where('id', '=', id).executeTakeFirst();
  if (!channel?.url) return 0;
  const { downloads } = await readSettings(app.db);
  const listOptions = { lang: downloads.extractor_lang, signal };
  let count = 0;
  try {
    for await (const list of listEntries(await ytdlpSession(app), `${channel.url.replace(/\/+$/, '')}/playlists`, listOptions)) {
      report({ messages: [plainText(channel.name), plainText(list.title ?? list.siteId)] });
      try {
        if ((await listPlaylist(app, list.url, signal, { onlyIfArchived: true })).id) count++;
      } catch (problem) {
        signal.throwIfAborted();
        skip(list.title ?? list.siteId, problem as Error);
      }
    }
  } catch (problem) {
    if (!(problem instanceof YtdlpFailed && problem.failure.isNoTab)) throw problem; // the channel may have no playlists tab
  }
  return count;
}

/** Indexes the playlists of channels, keeping only those with archived videos. */
export const indexPlaylists = defineTask<z.infer<typeof Input>>({
  name: 'index_playlists',
  title: messages['task.index_playlists'],
  group: 'channel:indexplaylist',
  isStartable: false,
  isStoppable: true,
  isParallel: true,
  needs: ['ytdlp'],
  input: Input,

  async run(work, app) {
    let count = 0;
    for (const id of work.input.channels) {
      try {
        count += await indexPlaylistsOf(app, id, work);
      } catch (problem) {
        work.signal.throwIfAborted();
        work.skip(id, problem as Error);
      }
    }
    return count > 0 ? message('playlists.indexed', { count }) : undefined;
  },
});
