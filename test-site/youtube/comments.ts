/** Comments come in pages of threads; replies of a thread are a separate list. */
import { type Answer, type SiteContext, json } from '../answer.ts';
import type { Comment, Video } from '../catalogue.ts';
import { continuationItem } from './page.ts';
import { compact, grouped } from './words.ts';

const PAGE_THREADS = 20;

type Order = 'top' | 'new';

export function commentsHeaderToken(videoId: string): string {
  return `comments/${videoId}/header`;
}

function pageToken(videoId: string, order: Order, from: number): string {
  return `comments/${videoId}/${order}/${from}`;
}

/** Including replies. */
export function countComments(comments: Comment[]): number {
  return comments.reduce((sum, comment) => sum + 1 + countComments(comment.replies ?? []), 0);
}

function header(video: Video): object {
  const item = (title: string, order: Order) => ({
    title,
    serviceEndpoint: { continuationCommand: { token: pageToken(video.id, order, 0) } },
  });
  return {
    commentsHeaderRenderer: {
      countText: { runs: [{ text: grouped(countComments(video.comments)) }, { text: ' Comments' }] },
      commentsCount: { simpleText: grouped(countComments(video.comments)) },
      sortMenu: { sortFilterSubMenuRenderer: { subMenuItems: [item('Top comments', 'top'), item('Newest first', 'new')] } },
    },
  };
}

function viewModel(comment: Comment): object {
  return {
    commentViewModel: {
      commentKey: `key-${comment.id}`,
      toolbarStateKey: `toolbar-${comment.id}`,
      commentId: comment.id,
      ...(comment.pinned ? { pinnedText: 'Pinned' } : {}),
    },
  };
}

function thread(video: Video, comment: Comment): object {
  const replies = comment.replies?.length
    ? { replies: { commentRepliesRenderer: { contents: [continuationItem(`replies/${video.id}/${comment.id}`)] } } }
    : {};
  return { commentThreadRenderer: { commentViewModel: viewModel(comment), ...replies } };
}

/** The text of a comment is in separate entities, linked by keys. */
function mutations(comment: Comment): object[] {
  const likes = compact(comment.likes);
  return [
    {
      entityKey: `key-${comment.id}`,
      payload: {
        commentEntityPayload: {
          properties: { commentId: comment.id, content: { content: comment.text }, publishedTime: comment.ago },
          author: {
            channelId: comment.authorId,
            displayName: comment.author,
            avatarThumbnailUrl: `https://yt3.googleusercontent.com/face-${comment.authorId}=s88`,
            isCreator: comment.byUploader === true,
            isVerified: false,
            channelCommand: { innertubeCommand: { browseEndpoint: { canonicalBaseUrl: `/${comment.author}` } } },
          },
          toolbar: { likeCountNotliked: likes, likeCountA11y: `${likes} likes`, heartState: 'TOOLBAR_HEART_STATE_UNHEARTED' },
        },
      },
    },
    {
      entityKey: `toolbar-${comment.id}`,
      payload: {
        engagementToolbarStateEntityPayload: {
          heartState: comment.hearted ? 'TOOLBAR_HEART_STATE_HEARTED' : 'TOOLBAR_HEART_STATE_UNHEARTED',
        },
      },
    },
  ];
}

function page(slots: object[], comments: Comment[]): Answer {
  return json({
    onResponseReceivedEndpoints: slots,
    frameworkUpdates: { entityBatchUpdate: { mutations: comments.flatMap(mutations) } },
  });
}

function threadsPage(video: Video, order: Order, from: number): Answer {
  const ordered = order === 'top' ? video.comments.toSorted((a, b) => b.likes - a.likes) : video.comments;
  const pinnedFirst = ordered.toSorted((a, b) => Number(b.pinned ?? false) - Number(a.pinned ?? false));
  const visible = pinnedFirst.slice(from, from + PAGE_THREADS);
  const next = from + PAGE_THREADS < ordered.length ? [continuationItem(pageToken(video.id, order, from + PAGE_THREADS))] : [];
  const continuationItems = [...visible.map((comment) => thread(video, comment)), ...next];
  if (from > 0) return page([{ appendContinuationItemsAction: { targetId: 'comments-section', continuationItems } }], visible);
  const slots = [
    { reloadContinuationItemsCommand: { slot: 'RELOAD_CONTINUATION_SLOT_HEADER', continuationItems: [header(video)] } },
    { reloadContinuationItemsCommand: { slot: 'RELOAD_CONTINUATION_SLOT_BODY', continuationItems } },
  ];
  return page(slots, visible);
}

/** Handles a continuation of comments; null for other tokens. */
export function commentsPage(token: string, context: SiteContext): Answer | null {
  const [what, videoId, third, from] = token.split('/');
  const video = context.catalogue.videos.find(({ id }) => id === videoId);
  if (!video || (what !== 'comments' && what !== 'replies')) return null;
  if (what === 'comments') return threadsPage(video, third === 'new' ? 'new' : 'top', Number(from ?? 0));
  const replies = video.comments.find(({ id }) => id === third)?.replies ?? [];
  const continuationItems = replies.map(viewModel);
  return page([{ appendContinuationItemsAction: { targetId: `replies-${third}`, continuationItems } }], replies);
}
