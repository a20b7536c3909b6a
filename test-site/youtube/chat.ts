/** The chat of a stream: as a replay of a past one, and of a running one as far as there is of it. */
import { type Answer, html, json, notFound, type SiteContext } from '../answer.ts';
import type { ChatMessage, Video } from '../catalogue.ts';
import { sitePage } from './page.ts';
import { clock, simpleText } from './words.ts';

const pageSize = 25;
/** What a client waits before it asks for new messages of a running stream. */
const liveTimeoutMs = 50;

const isRunning = (video: Video) => video.live === 'now';

/** The part of the watch page that names the chat; none without one. */
export function conversationBar(video: Video): object {
  if (!video.chat || (!isRunning(video) && video.chat.hasReplay === false)) return {};
  const reloadContinuationData = { continuation: `chat~${video.id}~all~0` };
  return { conversationBar: { liveChatRenderer: { continuations: [{ reloadContinuationData }], isReplay: !isRunning(video) } } };
}

/** Splits a text at `:name:`, which the site sends as a picture with that shortcut. */
function runsOf(text: string): object[] {
  return text.split(/(:\w+:)/).flatMap((part): object[] => {
    if (part === '') return [];
    if (!/^:\w+:$/.test(part)) return [{ text: part }];
    const image = { thumbnails: [{ url: `https://yt3.ggpht.com/emoji-${part.slice(1, -1)}=w24`, width: 24, height: 24 }] };
    return [{ emoji: { emojiId: `UCemoji/${part}`, shortcuts: [part, `:_${part.slice(1)}`], isCustomEmoji: true, image } }];
  });
}

const badges = {
  owner: { icon: { iconType: 'OWNER' }, tooltip: 'Owner' },
  moderator: { icon: { iconType: 'MODERATOR' }, tooltip: 'Moderator' },
  verified: { icon: { iconType: 'VERIFIED' }, tooltip: 'Verified' },
  member: { customThumbnail: { thumbnails: [{ url: 'https://yt3.ggpht.com/badge=s16' }] }, tooltip: 'Member (1 year)' },
};

const startMs = ({ startsAt, published }: Video) => (startsAt ?? published).getTime();

function itemOf(video: Video, one: ChatMessage): object {
  const message = { runs: runsOf(one.text ?? '') };
  const common = {
    id: one.id,
    timestampUsec: String((startMs(video) + one.atSeconds * 1000) * 1000),
    timestampText: simpleText(clock(one.atSeconds)),
    authorName: simpleText(one.author),
    authorExternalChannelId: one.authorId ?? `UC${one.author}`,
    authorPhoto: { thumbnails: [{ url: 'https://yt4.ggpht.com/photo=s32' }] },
    authorBadges: (one.badges ?? []).map((badge) => ({ liveChatAuthorBadgeRenderer: badges[badge] })),
  };
  const purchaseAmountText = simpleText(one.amount ?? '');
  switch (one.kind ?? 'text') {
    case 'text':
      return { liveChatTextMessageRenderer: { ...common, message } };
    case 'paid':
      return { liveChatPaidMessageRenderer: { ...common, message, purchaseAmountText, headerBackgroundColor: 4278239141 } };
    case 'member':
      return { liveChatMembershipItemRenderer: { ...common, headerSubtext: { runs: runsOf(one.text ?? '') } } };
    case 'sticker': {
      const accessibility = { accessibilityData: { label: one.text } };
      return { liveChatPaidStickerRenderer: { ...common, purchaseAmountText, sticker: { thumbnails: [], accessibility } } };
    }
    case 'system': {
      const { id, timestampUsec } = common;
      return { liveChatViewerEngagementMessageRenderer: { id, timestampUsec, message, icon: { iconType: 'YOUTUBE_ROUND' } } };
    }
  }
}

interface TimedAction {
  atSeconds: number;
  action: object;
}

/** Everything that happened in a chat, in the order of time. A paid message is in the ticker too. */
function actionsOf(video: Video): TimedAction[] {
  const happened = (video.chat?.messages ?? []).flatMap((one): TimedAction[] => {
    const added = { addChatItemAction: { item: itemOf(video, one), clientId: `client-${one.id}` } };
    const renderer = itemOf(video, one);
    const ticker = {
      addLiveChatTickerItemAction: {
        item: {
          liveChatTickerPaidMessageItemRenderer: { id: one.id, showItemEndpoint: { showLiveChatItemEndpoint: { renderer } } },
        },
      },
    };
    const removal = one.isAuthorRemoved
      ? { markChatItemsByAuthorAsDeletedAction: { externalChannelId: one.authorId ?? `UC${one.author}` } }
      : { markChatItemAsDeletedAction: { deletedStateMessage: { runs: [{ text: '[message deleted]' }] }, targetItemId: one.id } };
    return [
      { atSeconds: one.atSeconds, action: added },
      ...(one.kind === 'paid' ? [{ atSeconds: one.atSeconds, action: ticker }] : []),
      ...(one.removedAtSeconds === undefined ? [] : [{ atSeconds: one.removedAtSeconds, action: removal }]),
    ];
  });
  return happened.toSorted((a, b) => a.atSeconds - b.atSeconds);
}

function replayPage(video: Video, part: string, place: number): object {
  const all = actionsOf(video);
  const actions = all.slice(place, place + pageSize).map(({ atSeconds, action }) => ({
    replayChatItemAction: { actions: [action], videoOffsetTimeMsec: String(Math.round(atSeconds * 1000)) },
  }));
  const next = { continuation: `chat~${video.id}~${part}~${place + pageSize}`, timeUntilLastMessageMsec: 1000 };
  const views = ['top', 'all'].map((one) => ({
    continuation: { reloadContinuationData: { continuation: `chat~${video.id}~${one}~0` } },
  }));
  return {
    actions,
    continuations: place + pageSize < all.length ? [{ liveChatReplayContinuationData: next }] : [],
    header: { liveChatHeaderRenderer: { viewSelector: { sortFilterSubMenuRenderer: { subMenuItems: views } } } },
  };
}

function livePage(video: Video, place: number): object {
  const all = actionsOf(video);
  const next = { continuation: `chat~${video.id}~all~${all.length}`, timeoutMs: liveTimeoutMs };
  return {
    actions: all.slice(place).map(({ action }) => action),
    continuations: isRunning(video) ? [{ invalidationContinuationData: next }] : [],
  };
}

/** Returns a page of a chat by its continuation: the first as HTML, later ones as JSON. */
export function chatPage(continuation: string, as: 'page' | 'json', context: SiteContext): Answer {
  const [, id, part = 'all', place] = /^chat~([-\w]{11})~(\w+)~(\d+)$/.exec(continuation) ?? [];
  const video = context.catalogue.videos.find((one) => one.id === id);
  if (!video?.chat) return notFound();
  if (Number(place) >= (video.chat.failsFrom ?? Infinity)) return html('Internal Server Error', 500);
  const liveChatContinuation = isRunning(video) ? livePage(video, Number(place)) : replayPage(video, part, Number(place));
  const data = { continuationContents: { liveChatContinuation } };
  return as === 'page' ? sitePage('Live chat', { initial: data }) : json(data);
}
