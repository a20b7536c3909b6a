/** Playlists, including those the site derives from a channel id. */
import type { SiteContext } from '../answer.ts';
import { type Catalogue, type Playlist, videosOf } from '../catalogue.ts';
import { playlistRow } from './entries.ts';
import { channelRun, continuationItem } from './page.ts';
import { grouped, simpleText } from './words.ts';

const PAGE_ROWS = 100;

/** `UU…` all uploads, `UULF…` videos, `UUSH…` shorts, `UULV…` streams, followed by the channel id. */
function derived(catalogue: Catalogue, id: string): Playlist | undefined {
  const match = /^UU(LF|SH|LV)?([\w-]{22})$/.exec(id);
  const channel = match && catalogue.channels.find((each) => each.id === `UC${match[2]}` && !each.gone);
  if (!channel) return undefined;
  const kinds =
    match[1] === 'LF' ? ['video'] : match[1] === 'SH' ? ['short'] : match[1] === 'LV' ? ['stream'] : ['video', 'short', 'stream'];
  const videos = (kinds as ('video' | 'short' | 'stream')[])
    .flatMap((kind) => videosOf(catalogue, channel.id, kind))
    .sort((a, b) => b.published.getTime() - a.published.getTime());
  const title = `Uploads from ${channel.name}`;
  return { id, channelId: channel.id, title, description: '', videoIds: videos.map((video) => video.id) };
}

export function findPlaylist(catalogue: Catalogue, id: string): Playlist | undefined {
  return catalogue.playlists.find((playlist) => playlist.id === id) ?? derived(catalogue, id);
}

function rows(catalogue: Catalogue, playlist: Playlist, from: number): object[] {
  const visible = playlist.videoIds.slice(from, from + PAGE_ROWS).map((videoId, index) => {
    const video = catalogue.videos.find(({ id }) => id === videoId);
    const channel = catalogue.channels.find(({ id }) => id === video?.channelId);
    return playlistRow(videoId, from + index, video, channel);
  });
  const next = from + PAGE_ROWS < playlist.videoIds.length ? [continuationItem(`list/${playlist.id}/${from + PAGE_ROWS}`)] : [];
  return [...visible, ...next];
}

export function playlistData(playlist: Playlist, { catalogue }: SiteContext): object {
  const owner = catalogue.channels.find(({ id }) => id === playlist.channelId);
  const list = { playlistVideoListRenderer: { playlistId: playlist.id, contents: rows(catalogue, playlist, 0) } };
  const sections = { sectionListRenderer: { contents: [{ itemSectionRenderer: { contents: [list] } }] } };
  return {
    contents: { twoColumnBrowseResultsRenderer: { tabs: [{ tabRenderer: { selected: true, content: sections } }] } },
    metadata: { playlistMetadataRenderer: { title: playlist.title, description: playlist.description } },
    header: {
      playlistHeaderRenderer: {
        playlistId: playlist.id,
        title: simpleText(playlist.title),
        privacy: 'PUBLIC',
        numVideosText: { runs: [{ text: grouped(playlist.videoIds.length) }, { text: ' videos' }] },
        viewCountText: simpleText('321 views'),
        ...(owner ? { ownerText: channelRun(owner) } : {}),
      },
    },
  };
}

/** A continuation of a playlist; null for other tokens. */
export function playlistContinuation(token: string, { catalogue }: SiteContext): object | null {
  const [what, id, from] = token.split('/');
  const playlist = what === 'list' && id ? findPlaylist(catalogue, id) : undefined;
  if (!playlist) return null;
  const continuationItems = rows(catalogue, playlist, Number(from));
  return { onResponseReceivedActions: [{ appendContinuationItemsAction: { continuationItems } }] };
}
