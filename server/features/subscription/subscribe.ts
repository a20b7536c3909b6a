import { MessageError } from '../../platform/messages/message-error.ts';
import { message, messages } from '#contract/messages.ts';
import { z } from 'zod';
import { SubscriptionChoices } from '#contract/channel.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { parseLines, type ParsedInput } from '../../archive/sites/parse-input.ts';
import { checkUrl } from '../../platform/egress/host-policy.ts';
import { listPlaylist } from '../../archive/playlist/list-playlist.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { defineTask } from '../../platform/context/task.ts';
import { lookUp } from '../../platform/ytdlp/listing.ts';
import { ytdlpSession } from '../../archive/sites/ytdlp-session.ts';
import { lookUpChannelPage, saveChannel } from '../../archive/channel/save-channel.ts';
import { scanSubscriptions } from './scan-subscriptions.ts';
import { saveSubscriptionChoices } from './subscription-choices.ts';

const Input = z.object({
  kind: z.enum(['channel', 'playlist']),
  texts: z.array(z.string()),
  ...SubscriptionChoices,
});
type Input = z.infer<typeof Input>;

/** Subscribes to the channel of a link, which can point to the channel or to one of its videos. */
async function subscribeToChannel(app: AppContext, wanted: ParsedInput, signal: AbortSignal): Promise<string> {
  if (wanted.what === 'playlist') throw new MessageError(message('subscribe.not-a-channel'));
  let { url } = wanted;
  if (wanted.what === 'video') {
    const { downloads } = await readSettings(app.db);
    const video = await lookUp(await ytdlpSession(app), url, { lang: downloads.extractor_lang, signal });
    if (!video.channelUrl) throw new MessageError(message('failure.unknown-channel'));
    url = video.channelUrl;
  }
  const info = await lookUpChannelPage(app, url, signal);
  await saveChannel(app, info, { isSubscribed: 1, url, signal });
  return info.id;
}

async function subscribeToPlaylist(app: AppContext, wanted: ParsedInput, signal: AbortSignal): Promise<string> {
  if (wanted.what === 'channel' || wanted.what === 'video') throw new MessageError(message('subscribe.not-a-playlist'));
  const { id } = await listPlaylist(app, wanted.url, signal, { isSubscribed: true });
  if (!id) throw new MessageError(message('failure.no-playlist'));
  return id;
}

/** Subscribes to channels or playlists. A failed subscription is reported and does not stop the others. */
export const subscribeTo = defineTask<Input>({
  name: 'subscribe_to',
  title: messages['task.subscribe_to'],
  group: 'subscription:add',
  isStartable: false,
  isStoppable: false,
  isParallel: true,
  needs: ['ytdlp'],
  input: Input,

  async run({ input, signal, report, skip }, app) {
    const { items, invalidLines } = parseLines(input.texts);
    for (const word of invalidLines) skip(word, message('queue.invalid-input'));
    const subscribe = input.kind === 'channel' ? subscribeToChannel : subscribeToPlaylist;
    const subscribed: string[] = [];
    for (const [place, one] of items.entries()) {
      signal.throwIfAborted();
      report({
        messages: [message('subscribe.running', { name: one.text, place: place + 1, count: items.length })],
        progress: place / items.length,
      });
      try {
        const refusal = checkUrl(one.url, app.config.allowPrivate);
        if (refusal) throw new MessageError(refusal);
        const id = await subscribe(app, one, signal);
        await saveSubscriptionChoices(app, input.kind, id, input);
        subscribed.push(id);
      } catch (problem) {
        signal.throwIfAborted();
        skip(one.text, problem as Error);
      }
    }
    // A subscription with custom options is scanned at once; otherwise the next scan includes it.
    if (subscribed.length > 0 && (input.auto_start !== undefined || input.back_catalogue))
      await app.tasks.start(scanSubscriptions, input.kind === 'channel' ? { channels: subscribed } : { playlists: subscribed });
    if (subscribed.length === 0) return undefined;
    return message(input.kind === 'channel' ? 'subscribe.channels' : 'subscribe.playlists', { count: subscribed.length });
  },
});
