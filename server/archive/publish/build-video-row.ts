import type { Sponsorblock } from '#contract/video.ts';
import type { KnownChannel } from '../channel/upsert-channel.ts';
import type { Probe } from '../../platform/media/probe.ts';
import type { Cue } from '../../platform/media/subtitle.ts';
import { commentRows } from '../video/save-comments.ts';
import { transcriptLines } from '../video/save-transcript.ts';
import { streamRows } from '../video/stream-rows.ts';
import type { ArchivedVideo } from '../video/save-archived.ts';
import type { SubtitleSource } from '../../platform/db/schema/tables.ts';
import type { Sound } from '../../platform/ytdlp/sounds.ts';
import type { VideoInfo } from '../../platform/ytdlp/info.ts';
import type { QueueItem } from '../queue/claims.ts';

interface Parts {
  item: Pick<QueueItem, 'id' | 'kind'>;
  info: VideoInfo;
  probe: Probe;
  /** The sound tracks in their order, as far as the site tells them. Default: the one of `info`. */
  sounds?: Sound[];
  media: { sizeBytes: number; sha256: string };
  /** Path of the media file without its extension (upload.ts). */
  stem: string;
  /** Extension of the media file, with the dot. */
  extension: string;
  subtitles: { lang: string; source: SubtitleSource; name: string; cues: Cue[] }[];
  /** Whether transcripts are searchable. */
  hasLines: boolean;
  limitation?: ArchivedVideo['limitation'];
  recording?: ArchivedVideo['live'];
  sponsorblock: Sponsorblock | null;
  votes: { likes: number; dislikes: number; rating: number } | null;
  hasComments: boolean;
  /** Epoch seconds; used if the site gives no date. */
  now: number;
}

/** Builds the rows of a video and its channel. Properties of the file take precedence over data of the site. */
export function buildVideoRow({
  item,
  info,
  probe,
  media,
  stem,
  extension,
  subtitles,
  votes,
  sounds = [info.sound],
  ...parts
}: Parts): {
  channel: KnownChannel;
  video: ArchivedVideo;
} {
  const picture = probe.streams.find((stream) => stream.type === 'video');
  const kind = item.kind === 'unknown' ? info.kind : item.kind;
  const channel: KnownChannel = {
    id: info.channelId,
    site: info.site,
    name: info.channelName,
    url: info.channelUrl,
    subscriberCount: info.channelFollowers,
    kind,
  };
  const video: ArchivedVideo = {
    id: item.id,
    site: info.site,
    siteId: info.siteId,
    channelId: info.channelId,
    title: info.title,
    description: info.description,
    kind,
    url: info.url,
    publishedAt: info.publishedAt ?? parts.now,
    durationSeconds: Math.round(probe.durationSeconds),
    ...media,
    mediaPath: `${stem}${extension}`,
    width: picture?.width ?? 0,
    height: picture?.height ?? 0,
    music: info.music,
    categories: info.categories,
    tags: info.tags,
    chapters: info.chapters,
    limitation: parts.limitation ?? null,
    live: parts.recording ?? null,
    sponsorblock: parts.sponsorblock,
    viewCount: info.views ?? 0,
    likeCount: info.likes ?? votes?.likes ?? 0,
    dislikeCount: votes?.dislikes ?? 0,
    averageRating: votes?.rating ?? 0,
    streams: streamRows(probe.streams, sounds),
    subtitles: subtitles.map(({ lang, source, name }) => ({ lang, source, name, path: `${stem}.${lang}.vtt` })),
    lines: parts.hasLines ? subtitles.flatMap(({ lang, cues }) => transcriptLines(lang, cues)) : [],
    comments: parts.hasComments ? commentRows(info.comments) : null,
  };
  return { channel, video };
}
