/** The player response: metadata, playability, formats and subtitles. */
import type { SiteContext } from '../answer.ts';
import type { Channel, Video } from '../catalogue.ts';
import { refusalStatus } from './failures.ts';
import { streamingFormats } from './formats.ts';
import { liveFormats } from './live.ts';
import { thumbnailsOf } from './page.ts';
import { captionTracks } from './subtitles.ts';
import { clock, isoTime, until } from './words.ts';

/** The description on the page: the text and the chapters as lines of time and title. */
export function fullDescription(video: Video): string {
  const lines = video.chapters.map((chapter) => `${clock(chapter.startSeconds)} ${chapter.title}`);
  return lines.length === 0 ? video.description : `${video.description}\n\nChapters:\n${lines.join('\n')}`;
}

// Failures that a login avoids.
const forSome = ['members', 'membersLevel', 'ageGated', 'private'];
const refusalOf = ({ fails }: Video, { isLoggedIn }: SiteContext) =>
  isLoggedIn && fails && forSome.includes(fails) ? undefined : fails;

function playability(video: Video, context: SiteContext): object {
  if (video.movedTo) {
    return {
      status: 'UNPLAYABLE',
      reason: 'This video has moved.',
      errorScreen: { playerLegacyDesktopYpcTrailerRenderer: { trailerVideoId: video.movedTo } },
    };
  }
  const refusal = refusalOf(video, context);
  if (refusal) return refusalStatus(refusal);
  if (video.live === 'upcoming') {
    const at = video.startsAt ?? video.published;
    return {
      status: 'LIVE_STREAM_OFFLINE',
      reason: video.kind === 'stream' ? `This live event will begin ${until(at)}.` : `Premieres ${until(at)}`,
      liveStreamability: {
        liveStreamabilityRenderer: {
          videoId: video.id,
          offlineSlate: { liveStreamOfflineSlateRenderer: { scheduledStartTime: String(Math.floor(at.getTime() / 1000)) } },
        },
      },
    };
  }
  return { status: 'OK', playableInEmbed: true };
}

function details(video: Video, channel: Channel | undefined): object {
  return {
    videoId: video.fails === 'wrongVideo' ? 'aQvGIIdgFDM' : video.id,
    title: video.title,
    lengthSeconds: String(video.live ? 0 : Math.round(video.durationSeconds)),
    keywords: video.tags,
    channelId: video.channelId,
    shortDescription: fullDescription(video),
    thumbnail: { thumbnails: thumbnailsOf(video.id) },
    viewCount: String(video.views),
    author: channel?.name ?? '',
    isPrivate: video.fails === 'private',
    isLiveContent: video.kind === 'stream',
    ...(video.live === 'now' ? { isLive: true } : {}),
    ...(video.live === 'upcoming' ? { isUpcoming: true } : {}),
    ...(video.isPostLive ? { isPostLiveDvr: true } : {}),
  };
}

function microformat(video: Video, channel: Channel | undefined): object {
  const startTimestamp = video.startsAt && isoTime(video.startsAt);
  return {
    publishDate: isoTime(video.published),
    uploadDate: isoTime(video.published),
    category: video.category,
    lengthSeconds: String(Math.round(video.durationSeconds)),
    viewCount: String(video.views),
    isFamilySafe: !video.ageLimited,
    isUnlisted: video.unlisted === true,
    isShortsEligible: video.kind === 'short',
    externalChannelId: video.channelId,
    ownerChannelName: channel?.name ?? '',
    ...(channel ? { ownerProfileUrl: `http://www.youtube.com/${channel.handle}` } : {}),
    ...(startTimestamp ? { liveBroadcastDetails: { isLiveNow: video.live === 'now', startTimestamp } } : {}),
  };
}

/**
 * Returns the player response. Without formats if the video is not playable; files of a playable one are generated first, which
 * can take seconds.
 */
export async function playerResponse(video: Video, context: SiteContext): Promise<object> {
  const channel = context.catalogue.channels.find(({ id }) => id === video.channelId);
  const playable = !refusalOf(video, context) && !video.movedTo && video.live !== 'upcoming';
  let streamingData: object | undefined;
  if (playable && video.stream) streamingData = { expiresInSeconds: '21540', ...liveFormats(video) };
  else if (playable) streamingData = { expiresInSeconds: '21540', ...(await streamingFormats(video, context)) };
  if (video.fails === 'drm') streamingData = { licenseInfos: [{ drmFamily: 'WIDEVINE' }] };
  if (video.fails === 'noFormats') streamingData = { adaptiveFormats: [] };
  return {
    playabilityStatus: playability(video, context),
    videoDetails: details(video, channel),
    microformat: { playerMicroformatRenderer: microformat(video, channel) },
    ...(streamingData ? { streamingData } : {}),
    ...(video.subtitles.length > 0
      ? { captions: { playerCaptionsTracklistRenderer: { captionTracks: captionTracks(video) } } }
      : {}),
  };
}
