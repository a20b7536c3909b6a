import { z } from 'zod';
import type { Archive } from '../archive.ts';
import { readBox, type Wanted } from '../download/classify.ts';
import { judgeUrl } from '../egress/judge.ts';
import { listPlaylist } from '../playlist/list-playlist.ts';
import { currentSettings } from '../settings/read.ts';
import { defineTask } from '../task/task.ts';
import { lookUp } from '../ytdlp/listing.ts';
import { ytdlpOf } from '../ytdlp-of.ts';
import { lookUpSource, saveChannel } from './save-channel.ts';

const Input = z.object({ kind: z.enum(['channel', 'playlist']), texts: z.array(z.string()) });
type Input = z.infer<typeof Input>;

/** Subscribes to the channel behind a link, be it of the channel or of one of its videos. */
async function subscribeToChannel(archive: Archive, wanted: Wanted, signal: AbortSignal): Promise<string> {
  if (wanted.what === 'playlist') throw new Error('expected channel url but got playlist');
  let { url } = wanted;
  if (wanted.what === 'video') {
    const { downloads } = await currentSettings(archive);
    const video = await lookUp(await ytdlpOf(archive), url, { lang: downloads.extractor_lang, signal });
    if (!video.channelUrl) throw new Error('The site does not say whose video it is.');
    url = video.channelUrl;
  }
  const info = await lookUpSource(archive, url, signal);
  await saveChannel(archive, info, { isSubscribed: 1, url, signal });
  return info.id;
}

async function subscribeToPlaylist(archive: Archive, wanted: Wanted, signal: AbortSignal): Promise<string> {
  if (wanted.what === 'channel' || wanted.what === 'video') throw new Error(`expected playlist url but got ${wanted.what}`);
  const { id } = await listPlaylist(archive, wanted.url, signal, { isSubscribed: true });
  if (!id) throw new Error('There is no playlist behind this link, or it is empty.');
  return id;
}

/** Subscribes to channels or playlists. One that cannot be is a line in the report. */
export const subscribeTo = defineTask<Input>({
  name: 'subscribe_to',
  title: 'Add Subscription',
  group: 'subscription:add',
  isStartable: false,
  isStoppable: false,
  isParallel: true,
  input: Input,

  async run({ input, signal, report, skip }, archive) {
    const { wanted, strange } = readBox(input.texts);
    for (const word of strange) skip(word, 'Not understood: neither an id, nor a handle, nor a web address.');
    const subscribe = input.kind === 'channel' ? subscribeToChannel : subscribeToPlaylist;
    let count = 0;
    for (const [place, one] of wanted.entries()) {
      signal.throwIfAborted();
      report({ messages: [`Subscribing to ${one.text} (${place + 1}/${wanted.length})`], progress: place / wanted.length });
      try {
        const refusal = judgeUrl(one.url, archive.config.allowPrivate);
        if (refusal) throw new Error(refusal);
        await subscribe(archive, one, signal);
        count++;
      } catch (problem) {
        signal.throwIfAborted();
        skip(one.text, problem);
      }
    }
    return count > 0 ? `Subscribed to ${count} ${input.kind}(s).` : undefined;
  },
});
