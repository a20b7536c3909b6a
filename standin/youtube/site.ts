/** www.youtube.com and its media host: which page answers which path. */
import { type Answer, type Ground, html, json, notFound, type Visit } from '#standin/answer.ts';
import type { Channel } from '#standin/catalogue.ts';
import { commentsPage } from './comments.ts';
import { channelFeed } from './feed.ts';
import { fileOf } from './formats.ts';
import { iframeApi, playerScript, sitePage } from './page.ts';
import { playerResponse } from './player.ts';
import { findPlaylist, playlistContinuation, playlistData } from './playlist.ts';
import { subtitleFile } from './subtitles.ts';
import { channelData, type Tab, tabContinuation } from './tabs.ts';
import { watchData } from './watch.ts';

/** A page that is only a message in a red box. */
function alertData(message: string): object {
  return { alerts: [{ alertRenderer: { type: 'ERROR', text: { simpleText: message } } }] };
}

const TERMINATED = "This account has been terminated for violating YouTube's Community Guidelines.";

function findChannel(ground: Ground, name: string): Channel | undefined {
  const handle = name.toLowerCase();
  return ground.catalogue.channels.find((channel) => channel.id === name || channel.handle.toLowerCase() === handle);
}

function channelAnswer(name: string, tab: string, ground: Ground): object | null {
  const channel = findChannel(ground, name);
  if (!channel || channel.gone === 'missing') return null;
  if (channel.gone === 'terminated') return alertData(TERMINATED);
  if (tab === 'live') {
    const running = ground.catalogue.videos.find((video) => video.channelId === channel.id && video.live === 'now');
    return running ? watchData(running, ground) : channelData(channel, 'featured', ground);
  }
  return channelData(channel, (tab || 'featured') as Tab, ground);
}

function playlistAnswer(id: string, ground: Ground): object {
  // The liked videos of whoever is logged in.
  if (id === 'LL' && ground.isLoggedIn) {
    const liked = {
      id,
      channelId: '',
      title: 'Liked videos',
      description: '',
      videoIds: ground.catalogue.videos.slice(0, 1).map((one) => one.id),
    };
    return playlistData(liked, ground);
  }
  const playlist = findPlaylist(ground.catalogue, id);
  if (!playlist) return alertData('The playlist does not exist.');
  return playlist.private ? alertData('This playlist is private.') : playlistData(playlist, ground);
}

async function watchPage(id: string, ground: Ground): Promise<Answer> {
  const video = ground.catalogue.videos.find((each) => each.id === id);
  if (!video) return sitePage('YouTube', { initial: { contents: {} }, player: unknownVideo() });
  if (video.fails === 'serverError') return html('Internal Server Error', 500);
  if (video.fails === 'notJson') return sitePage(video.title, { initial: watchData(video, ground) });
  return sitePage(video.title, { initial: watchData(video, ground), player: await playerResponse(video, ground) });
}

function unknownVideo(): object {
  return { playabilityStatus: { status: 'ERROR', reason: 'Video unavailable' } };
}

async function media(visit: Visit, ground: Ground): Promise<Answer> {
  const id = visit.url.searchParams.get('id');
  const itag = Number(visit.url.searchParams.get('itag'));
  const video = ground.catalogue.videos.find((each) => each.id === id);
  const found = video && (await fileOf(video, itag, ground));
  if (!video || !found) return notFound();
  const { trouble } = video;
  if (trouble?.kind === 'forbidden') return html('Forbidden', 403);
  if (trouble?.kind === 'tooMany') return html('Too Many Requests', 429);
  if (trouble?.kind === 'page') return html('<!doctype html><title>Please wait</title><p>Checking your browser…</p>');
  return {
    file: found.file,
    type: found.mimeType.split(';')[0] ?? 'video/mp4',
    cutKey: `${id}/${itag}`,
    ...(trouble ? { trouble } : {}),
  };
}

/** The site's own API, all of it POST with JSON. */
async function api(method: string, asked: Record<string, unknown>, ground: Ground): Promise<Answer> {
  const word = (key: string) => (typeof asked[key] === 'string' ? asked[key] : '');
  const missing = () => json({ error: { code: 404, message: 'Requested entity was not found.', status: 'NOT_FOUND' } }, 404);
  const video = ground.catalogue.videos.find(({ id }) => id === word('videoId'));
  switch (method) {
    case 'player':
      if (video?.fails === 'serverError') return html('Internal Server Error', 500);
      if (video?.fails === 'notJson') return html('<!doctype html><title>Before you continue</title>');
      return json(video ? await playerResponse(video, ground) : unknownVideo());
    case 'next':
      if (video?.fails === 'serverError') return html('Internal Server Error', 500);
      if (word('continuation')) return commentsPage(word('continuation'), ground) ?? missing();
      return video ? json(watchData(video, ground)) : missing();
    case 'browse': {
      if (word('continuation')) {
        const page = tabContinuation(word('continuation'), ground) ?? playlistContinuation(word('continuation'), ground);
        return page ? json(page) : missing();
      }
      if (word('browseId').startsWith('VL')) return json(playlistAnswer(word('browseId').slice(2), ground));
      const data = channelAnswer(word('browseId'), word('params'), ground);
      return data ? json(data) : missing();
    }
    case 'navigation/resolve_url': {
      const { pathname, searchParams } = new URL(word('url'), 'https://www.youtube.com');
      const list = searchParams.get('list');
      if (list) return json({ endpoint: { browseEndpoint: { browseId: `VL${list}` } } });
      const [name = '', tab = ''] = pathname
        .replace(/^\/(channel|c|user)(?=\/)/, '')
        .split('/')
        .slice(1);
      const channel = findChannel(ground, decodeURIComponent(name));
      return channel && channel.gone !== 'missing'
        ? json({ endpoint: { browseEndpoint: { browseId: channel.id, params: tab } } })
        : missing();
    }
    default:
      return missing();
  }
}

/** Answers for www.youtube.com, m.youtube.com, youtubei.googleapis.com and …googlevideo.com. */
export async function youtube(visit: Visit, around: Ground): Promise<Answer> {
  const ground = { ...around, isLoggedIn: /\bLOGIN_INFO=right\b/.test(visit.headers.cookie ?? '') };
  const { pathname, searchParams } = visit.url;
  if (pathname === '/videoplayback') return media(visit, ground);
  if (pathname === '/watch' && searchParams.has('v')) return watchPage(searchParams.get('v') ?? '', ground);
  if (pathname.startsWith('/youtubei/v1/')) {
    return api(pathname.slice('/youtubei/v1/'.length), JSON.parse(visit.body || '{}') as Record<string, unknown>, ground);
  }
  if (pathname === '/iframe_api') return iframeApi();
  if (pathname.startsWith('/s/player/')) return playerScript();
  if (pathname.startsWith('/embed/') || pathname === '/tv' || pathname === '/') return sitePage('YouTube', {});
  if (pathname === '/playlist') return sitePage('Playlist', { initial: playlistAnswer(searchParams.get('list') ?? '', ground) });
  if (pathname === '/feeds/videos.xml') return channelFeed(searchParams.get('channel_id') ?? '', ground);
  if (pathname === '/api/timedtext') {
    return subtitleFile(
      ground.catalogue.videos.find(({ id }) => id === searchParams.get('v')),
      searchParams,
    );
  }
  const [name = '', tab = ''] = pathname
    .replace(/^\/(channel|c|user)(?=\/)/, '')
    .split('/')
    .slice(1);
  const data = channelAnswer(decodeURIComponent(name), tab, ground);
  return data ? sitePage(name, { initial: data }) : notFound();
}
