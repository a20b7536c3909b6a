import type { SpokenHit } from '#contract/search.ts';
import { storyboardSheetUrl } from '../../../archive/storage/storyboard-path.ts';
import { tileAt } from '../../../platform/media/storyboard.ts';
import { thumbnailUrl } from '../../../archive/storage/thumbnail-path.ts';
import type { TranscriptHit } from './find-transcripts.ts';
import { highlight, markMatches, startOfMatch } from './highlight.ts';
import type { Chunk } from '../index/transcript-store.ts';
import type { SubtitleSource } from '../../../platform/db/schema/tables.ts';
import type { videosOfHits } from '../index/transcript-store.ts';
import type { QueryTerm } from './query-terms.ts';
import { apiSource } from '../../../archive/video/shape.ts';

/** Formats seconds as `HH:MM:SS.mmm`. */
export function clockText(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  const part = (value: number, digits: number) => String(value).padStart(digits, '0');
  const [hours, minutes, whole] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1000) % 60];
  return `${part(hours, 2)}:${part(minutes, 2)}:${part(whole, 2)}.${part(ms % 1000, 3)}`;
}

export const roundScore = (score: number) => Math.round(score * 1000) / 1000;

/** Returns the storyboard picture of a second; null if the video has no storyboard. */
export function pictureAt(
  { id, durationSeconds, storyboardSheets }: Pick<About['video'], 'id' | 'durationSeconds' | 'storyboardSheets'>,
  second: number,
): SpokenHit['subtitle_picture'] {
  const { sheet, x, y, width, height, sheetWidth } = tileAt(durationSeconds, second);
  if (storyboardSheets === null || sheet >= storyboardSheets) return null;
  return { sheet_url: storyboardSheetUrl(id, sheet), sheet_width: sheetWidth, x, y, width, height };
}

interface About {
  video: Awaited<ReturnType<typeof videosOfHits>>[number];
  source: SubtitleSource | undefined;
  units: readonly QueryTerm[];
}

/** Returns when a character of joined lines is spoken: its line is taken to be spoken evenly. */
export function secondOf(lines: Chunk['lines'], character: number): number {
  let start = 0;
  for (const { text, startSeconds, endSeconds } of lines) {
    if (character <= start + text.length)
      return startSeconds + ((endSeconds - startSeconds) * Math.max(0, character - start)) / Math.max(1, text.length);
    start += text.length + 1;
  }
  return lines[0]!.startSeconds;
}

/** Serializes a transcript hit for the API. */
export function serializeTranscriptHit({ piece, score }: TranscriptHit, { video, source = 'file', units }: About): SpokenHit {
  const { videoId, lang, index, lines, before, after } = piece;
  const text = lines.map((line) => line.text).join(' ');
  const marked = markMatches(text, units);
  const hitStart = secondOf(lines, startOfMatch(text, units) ?? 0);
  return {
    youtube_id: videoId,
    title: video.title,
    subtitle_channel: video.channelName,
    subtitle_channel_id: video.channelId,
    subtitle_lang: lang,
    subtitle_source: apiSource(source),
    subtitle_index: index,
    subtitle_fragment_id: `${videoId}-${lang}-${index}`,
    subtitle_start: clockText(lines[0]!.startSeconds),
    subtitle_end: clockText(lines.at(-1)!.endSeconds),
    subtitle_line: highlight(text, marked),
    subtitle_last_refresh: video.refreshedAt,
    vid_thumb_url: thumbnailUrl(videoId),
    subtitle_hit_start: clockText(hitStart),
    subtitle_picture: pictureAt(video, hitStart),
    subtitle_before: before.map((line) => line.text),
    subtitle_after: after.map((line) => line.text),
    _index: 'ta_subtitle',
    _score: roundScore(score),
  };
}
