/** www.youtube.com and its media host: routing of paths to pages. */
import { type Answer, type SiteContext, html, json, notFound, type SiteRequest } from '../answer.ts';
import type { Channel } from '../catalogue.ts';
import { attestationChallenge } from '../services/botguard.ts';
import { chatPage } from './chat.ts';
import { commentsPage } from './comments.ts';
import { channelFeed } from './feed.ts';
import { fileOf } from './formats.ts';
import { hasSolved, playerIdOf, playerScript } from './challenges.ts';
import { liveMedia, livePlaylist } from './live.ts';
import { iframeApi, sitePage } from './page.ts';
import { playerResponse } from './player.ts';
import { findPlaylist, playlistContinuation, playlistData } from './playlist.ts';
import { subtitleFile } from './subtitles.ts';
import { channelData, type Tab, tabContinuation } from './tabs.ts';
import { watchData } from './watch.ts';

/** A page with only an error message. */
function alertData(message: string): object {
  return { alerts: [{ alertRenderer: { type: 'ERROR', text: { simpleText: message } } }] };
}

const TERMINATED = "This account has been terminated for violating YouTube's Community Guidelines.";

function findChannel(context: SiteContext, name: string): Channel | undefined {
  const handle = name.toLowerCase();
  return context.catalogue.channels.find((channel) => channel.id === name || channel.handle.toLowerCase() === handle);
}

function channelAnswer(name: string, tab: string, context: SiteContext): object | null {
  const channel = findChannel(context, name);
  if (!channel || channel.gone === 'missing') return null;
  if (channel.gone === 'terminated') return alertData(TERMINATED);
  if (tab === 'live') {
    const running = context.catalogue.videos.find((video) => video.channelId === channel.id && video.live === 'now');
    return running ? watchData(running, context) : channelData(channel, 'featured', context);
  }
  return channelData(channel, (tab || 'featured') as Tab, context);
}

function playlistAnswer(id: string, context: SiteContext): object {
  // Liked videos of a logged-in user.
  if (id === 'LL' && context.isLoggedIn) {
    const liked = {
      id,
      channelId: '',
      title: 'Liked videos',
      description: '',
      videoIds: context.catalogue.videos.slice(0, 1).map((one) => one.id),
    };
    return playlistData(liked, context);
  }
  const playlist = findPlaylist(context.catalogue, id);
  if (!playlist) return alertData('The playlist does not exist.');
  return playlist.private ? alertData('This playlist is private.') : playlistData(playlist, context);
}

async function watchPage(id: string, context: SiteContext): Promise<Answer> {
  const video = context.catalogue.videos.find((each) => each.id === id);
  if (!video) return sitePage('YouTube', { initial: { contents: {} }, player: unknownVideo() });
  if (video.fails === 'serverError') return html('Internal Server Error', 500);
  if (video.fails === 'notJson') return sitePage(video.title, { initial: watchData(video, context) });
  const player = await playerResponse(video, context);
  return sitePage(video.title, { initial: watchData(video, context), player, playerId: playerIdOf(video) });
}

function unknownVideo(): object {
  return { playabilityStatus: { status: 'ERROR', reason: 'Video unavailable' } };
}

async function media(request: SiteRequest, context: SiteContext): Promise<Answer> {
  const id = request.url.searchParams.get('id');
  const itag = Number(request.url.searchParams.get('itag'));
  const xtags = request.url.searchParams.get('xtags');
  const video = context.catalogue.videos.find((each) => each.id === id);
  if (video?.stream) return liveMedia(request, { video, stream: video.stream }, context);
  const found = video && (await fileOf(video, { itag, xtags }, context));
  if (!video || !found) return notFound();
  const { fault } = video;
  if (fault?.kind === 'forbidden' || found.isForbidden || !hasSolved(video, itag, request.url.searchParams))
    return html('Forbidden', 403);
  if (fault?.kind === 'tooMany') return html('Too Many Requests', 429);
  if (fault?.kind === 'page') return html('<!doctype html><title>Please wait</title><p>Checking your browser…</p>');
  return {
    file: found.file,
    type: found.mimeType.split(';')[0] ?? 'video/mp4',
    cutKey: `${id}/${itag}/${xtags ?? ''}`,
    ...(fault ? { fault } : {}),
  };
}

/** The internal API of the site: POST with JSON. */
async function api(method: string, input: Record<string, unknown>, context: SiteContext): Promise<Answer> {
  const stringOf = (key: string) => (typeof input[key] === 'string' ? input[key] : '');
  const missing = () => json({ error: { code: 404, message: 'Requested entity was not found.', status: 'NOT_FOUND' } }, 404);
  const video = context.catalogue.videos.find(({ id }) => id === stringOf('videoId'));
  switch (method) {
    case 'player':
      if (video?.fails === 'serverError') return html('Internal Server Error', 500);
      if (video?.fails === 'notJson') return html('<!doctype html><title>Before you continue</title>');
      return json(video ? await playerResponse(video, context) : unknownVideo());
    case 'next':
      if (video?.fails === 'serverError') return html('Internal Server Error', 500);
      if (stringOf('continuation')) return commentsPage(stringOf('continuation'), context) ?? missing();
      return video ? json(watchData(video, context)) : missing();
    case 'browse': {
      if (stringOf('continuation')) {
        const page =
          tabContinuation(stringOf('continuation'), context) ?? playlistContinuation(stringOf('continuation'), context);
        return page ? json(page) : missing();
      }
      if (stringOf('browseId').startsWith('VL')) return json(playlistAnswer(stringOf('browseId').slice(2), context));
      const data = channelAnswer(stringOf('browseId'), stringOf('params'), context);
      return data ? json(data) : missing();
    }
    case 'live_chat/get_live_chat':
    case 'live_chat/get_live_chat_replay':
      return chatPage(stringOf('continuation'), 'json', context);
    case 'att/get':
      return attestationChallenge();
    case 'navigation/resolve_url': {
      const { pathname, searchParams } = new URL(stringOf('url'), 'https://www.youtube.com');
      const list = searchParams.get('list');
      if (list) return json({ endpoint: { browseEndpoint: { browseId: `VL${list}` } } });
      const [name = '', tab = ''] = pathname
        .replace(/^\/(channel|c|user)(?=\/)/, '')
        .split('/')
        .slice(1);
      const channel = findChannel(context, decodeURIComponent(name));
      return channel && channel.gone !== 'missing'
        ? json({ endpoint: { browseEndpoint: { browseId: channel.id, params: tab } } })
        : missing();
    }
    default:
      return missing();
  }
}

// What the site sends for cookies that it has replaced in the browser.
const deletedLogin = 'LOGIN_INFO=; Domain=.youtube.com; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT';

/** Handles www.youtube.com, m.youtube.com, youtubei.googleapis.com and …googlevideo.com. */
export async function youtube(request: SiteRequest, siteContext: SiteContext): Promise<Answer> {
  const { hasRotatedCookies } = siteContext.catalogue;
  const { cookie = '' } = request.headers;
  const isLoggedIn = !hasRotatedCookies && /\bLOGIN_INFO=right\b/.test(cookie);
  const answer = await answerOf(request, { ...siteContext, isLoggedIn });
  if (!hasRotatedCookies || !cookie.includes('LOGIN_INFO=') || !('body' in answer)) return answer;
  return { ...answer, headers: { ...answer.headers, 'set-cookie': deletedLogin } };
}

async function answerOf(request: SiteRequest, context: SiteContext): Promise<Answer> {
  const { pathname, searchParams } = request.url;
  if (pathname === '/videoplayback') return media(request, context);
  const streamed = /^\/api\/manifest\/hls_variant\/id\/([^/]+)\//.exec(pathname)?.[1];
  const stream = streamed && context.catalogue.videos.find(({ id }) => id === streamed);
  if (stream) return livePlaylist(stream);
  if (pathname === '/watch' && searchParams.has('v')) return watchPage(searchParams.get('v') ?? '', context);
  if (pathname.startsWith('/youtubei/v1/')) {
    return api(pathname.slice('/youtubei/v1/'.length), JSON.parse(request.body || '{}') as Record<string, unknown>, context);
  }
  if (pathname === '/live_chat' || pathname === '/live_chat_replay')
    return chatPage(searchParams.get('continuation') ?? '', 'page', context);
  if (pathname === '/iframe_api') return iframeApi();
  if (pathname.startsWith('/s/player/')) return playerScript(pathname) ?? notFound();
  if (pathname.startsWith('/embed/') || pathname === '/tv' || pathname === '/') return sitePage('YouTube', {});
  if (pathname === '/playlist') return sitePage('Playlist', { initial: playlistAnswer(searchParams.get('list') ?? '', context) });
  if (pathname === '/feeds/videos.xml') return channelFeed(searchParams.get('channel_id') ?? '', context);
  if (pathname === '/api/timedtext') {
    return subtitleFile(
      context.catalogue.videos.find(({ id }) => id === searchParams.get('v')),
      searchParams,
    );
  }
  const [name = '', tab = ''] = pathname
    .replace(/^\/(channel|c|user)(?=\/)/, '')
    .split('/')
    .slice(1);
  const data = channelAnswer(decodeURIComponent(name), tab, context);
  return data ? sitePage(name, { initial: data }) : notFound();
}
