/** A video or playlist in a list, in each format of the site. */
import type { Channel, Playlist, Video } from '../catalogue.ts';
import { channelRun, thumbnailsOf } from './page.ts';
import { ago, clock, compact, grouped, simpleText } from './words.ts';

function timeText(video: Video): string {
  return `${video.kind === 'stream' ? 'Streamed ' : ''}${ago(video.published)}`;
}

function badgeText(video: Video): string {
  if (video.live) return video.live === 'now' ? 'LIVE' : 'UPCOMING';
  return clock(video.durationSeconds);
}

export function videoRenderer(video: Video, channel: Channel): object {
  return {
    videoId: video.id,
    title: { runs: [{ text: video.title }] },
    descriptionSnippet: { runs: [{ text: video.description.slice(0, 120) }] },
    thumbnail: { thumbnails: thumbnailsOf(video.id) },
    shortBylineText: channelRun(channel),
    viewCountText: simpleText(`${grouped(video.views)} ${video.live === 'now' ? 'watching' : 'views'}`),
    ...(video.fails === 'members' && {
      badges: [{ metadataBadgeRenderer: { style: 'BADGE_STYLE_TYPE_MEMBERS_ONLY', label: 'Members only' } }],
    }),
    navigationEndpoint: { commandMetadata: { webCommandMetadata: { url: `/watch?v=${video.id}` } } },
    thumbnailOverlays: [
      {
        thumbnailOverlayTimeStatusRenderer: {
          text: simpleText(badgeText(video)),
          style: video.live === 'now' ? 'LIVE' : 'DEFAULT',
        },
      },
    ],
    ...(video.live
      ? {}
      : { lengthText: simpleText(clock(video.durationSeconds)), publishedTimeText: simpleText(timeText(video)) }),
    ...(video.live === 'upcoming'
      ? { upcomingEventData: { startTime: String(Math.floor((video.startsAt ?? video.published).getTime() / 1000)) } }
      : {}),
  };
}

/** The format of listings since 2025, with less data. */
export function lockup(video: Video): object {
  const badge = {
    text: badgeText(video),
    badgeStyle: `THUMBNAIL_OVERLAY_BADGE_STYLE_${video.live === 'now' ? 'LIVE' : 'DEFAULT'}`,
  };
  const overlay = { thumbnailBottomOverlayViewModel: { badges: [{ thumbnailBadgeViewModel: badge }] } };
  const parts = [`${compact(video.views)} views`, timeText(video)].map((content) => ({
    text: { content },
    accessibilityLabel: content,
  }));
  return {
    contentId: video.id,
    contentType: 'LOCKUP_CONTENT_TYPE_VIDEO',
    contentImage: { thumbnailViewModel: { image: { sources: thumbnailsOf(video.id) }, overlays: [overlay] } },
    metadata: {
      lockupMetadataViewModel: {
        title: { content: video.title },
        metadata: { contentMetadataViewModel: { metadataRows: [{ metadataParts: parts }] } },
      },
    },
  };
}

export function shortsLockup(video: Video): object {
  return {
    entityId: `shorts-shelf-item-${video.id}`,
    accessibilityText: `${video.title}, ${compact(video.views)} views - play Short`,
    onTap: { innertubeCommand: { reelWatchEndpoint: { videoId: video.id } } },
    overlayMetadata: { primaryText: { content: video.title }, secondaryText: { content: `${compact(video.views)} views` } },
    thumbnailViewModel: { thumbnailViewModel: { image: { sources: thumbnailsOf(video.id) } } },
  };
}

export function playlistLockup(playlist: Playlist): object {
  const sources = playlist.videoIds.slice(0, 1).flatMap(thumbnailsOf);
  return {
    contentId: playlist.id,
    contentType: 'LOCKUP_CONTENT_TYPE_PLAYLIST',
    contentImage: { collectionThumbnailViewModel: { primaryThumbnail: { thumbnailViewModel: { image: { sources } } } } },
    metadata: { lockupMetadataViewModel: { title: { content: playlist.title } } },
  };
}

/** A row of a playlist; for deleted and private videos only the id and a placeholder title. */
export function playlistRow(videoId: string, index: number, video: Video | undefined, channel: Channel | undefined): object {
  const lost = !video || video.fails === 'deleted' || video.fails === 'private' || video.fails === 'removedByUploader';
  if (lost) {
    const title = video?.fails === 'private' ? '[Private video]' : '[Deleted video]';
    return { playlistVideoRenderer: { videoId, title: { runs: [{ text: title }] }, index: simpleText(String(index + 1)) } };
  }
  return {
    playlistVideoRenderer: {
      videoId,
      title: { runs: [{ text: video.title }] },
      index: simpleText(String(index + 1)),
      thumbnail: { thumbnails: thumbnailsOf(videoId) },
      lengthSeconds: String(Math.round(video.durationSeconds)),
      lengthText: simpleText(clock(video.durationSeconds)),
      isPlayable: true,
      videoInfo: { runs: [{ text: `${compact(video.views)} views` }, { text: ' • ' }, { text: timeText(video) }] },
      ...(channel ? { shortBylineText: channelRun(channel) } : {}),
    },
  };
}
