/** Data around the player: title, channel, counts and the comments token. */
import type { SiteContext } from '../answer.ts';
import type { Video } from '../catalogue.ts';
import { conversationBar } from './chat.ts';
import { commentsHeaderToken, countComments } from './comments.ts';
import { avatarOf, channelRun, continuationItem } from './page.ts';
import { compact, dateText, grouped, simpleText } from './words.ts';

function likeButton(likes: number): object {
  const accessibilityText = `like this video along with ${grouped(likes)} other people`;
  const button = { defaultButtonViewModel: { buttonViewModel: { title: compact(likes), accessibilityText } } };
  return {
    segmentedLikeDislikeButtonViewModel: {
      likeButtonViewModel: { likeButtonViewModel: { toggleButtonViewModel: { toggleButtonViewModel: button } } },
    },
  };
}

function primary(video: Video): object {
  const visible = video.live === 'now' ? `${grouped(video.views)} watching now` : `${grouped(video.views)} views`;
  return {
    title: { runs: [{ text: video.title }] },
    viewCount: { videoViewCountRenderer: { viewCount: simpleText(visible), ...(video.live ? { isLive: true } : {}) } },
    videoActions: { menuRenderer: { topLevelButtons: [likeButton(video.likes)] } },
    dateText: simpleText(dateText(video.published)),
  };
}

function commentSection(video: Video): object {
  const message = { messageRenderer: { text: { runs: [{ text: 'Comments are turned off.' }] } } };
  return {
    itemSectionRenderer: {
      sectionIdentifier: 'comment-item-section',
      contents: [video.commentsOff ? message : continuationItem(commentsHeaderToken(video.id))],
    },
  };
}

/** Number of comments before they are loaded. */
function commentEntry(video: Video): object {
  const commentCount = simpleText(grouped(countComments(video.comments)));
  return { itemSectionRenderer: { contents: [{ commentsEntryPointHeaderRenderer: { commentCount } }] } };
}

export function watchData(video: Video, context: SiteContext): object {
  const channel = context.catalogue.channels.find(({ id }) => id === video.channelId);
  const owner = channel && {
    title: channelRun(channel),
    thumbnail: { thumbnails: [{ url: avatarOf(channel), width: 176, height: 176 }] },
    subscriberCountText: simpleText(`${compact(channel.subscribers)} subscribers`),
    navigationEndpoint: { browseEndpoint: { browseId: channel.id, canonicalBaseUrl: `/${channel.handle}` } },
  };
  const contents = [
    { videoPrimaryInfoRenderer: primary(video) },
    { videoSecondaryInfoRenderer: owner ? { owner: { videoOwnerRenderer: owner } } : {} },
    ...(video.commentsOff ? [] : [commentEntry(video)]),
    commentSection(video),
  ];
  return {
    contents: { twoColumnWatchNextResults: { results: { results: { contents } }, ...conversationBar(video) } },
    currentVideoEndpoint: { watchEndpoint: { videoId: video.id } },
  };
}
