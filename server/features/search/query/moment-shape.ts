import type { FoundVideo, Moment } from '#contract/search.ts';
import { thumbnailUrl } from '../../../archive/storage/thumbnail-path.ts';
import { communityIn } from '../../../archive/video/shape.ts';
import type { MomentText, videosFound } from '../index/moment-store.ts';
import type { Chunk } from '../index/transcript-store.ts';
import type { Candidate, Terms } from './find-moments.ts';
import type { SubtitleSource } from '../../../platform/db/schema/tables.ts';
import type { FoundPassage } from '../../meaning/nearest.ts';
import { markMatches, startOfMatch } from './highlight.ts';
import type { QueryTerm } from './query-terms.ts';
import { pictureAt, secondOf } from './shape.ts';

type VideoRow = Awaited<ReturnType<typeof videosFound>>[number];

// Characters of an excerpt, and before its first match.
const maxExcerpt = 240;
const beforeMatch = 80;

/** Returns a text of one line with its matches: the surroundings of the best one, if the text is long. */
export function excerpt(whole: string, terms: readonly QueryTerm[]): Pick<Moment, 'text' | 'ranges'> {
  const line = whole.replace(/\s+/g, ' ').trim();
  let text = line;
  if (line.length > maxExcerpt) {
    const match = startOfMatch(line, terms) ?? 0;
    const from = match <= beforeMatch ? 0 : line.indexOf(' ', match - beforeMatch) + 1 || match;
    const start = Math.min(from, match);
    const rest = line.slice(start);
    const end = rest.length <= maxExcerpt ? rest.length : rest.lastIndexOf(' ', maxExcerpt);
    const cut = rest.slice(0, end > 0 ? end : maxExcerpt);
    text = `${start > 0 ? '…' : ''}${cut}${cut.length < rest.length ? '…' : ''}`;
  }
  return { text, ranges: markMatches(text, terms) };
}

const plain: Omit<Moment, 'kind' | 'text' | 'ranges'> = {
  start: null,
  end: null,
  lang: null,
  is_generated: false,
  is_similar: false,
  is_former: false,
  comment_id: null,
  note_id: null,
  author: null,
  picture: null,
};

export function serializeSpoken(video: VideoRow, { lang, lines }: Chunk, source: string | undefined, terms: Terms): Moment {
  const text = lines.map((line) => line.text).join(' ');
  const start = secondOf(lines, startOfMatch(text, terms.spoken) ?? 0);
  return {
    ...plain,
    kind: 'spoken',
    start,
    end: lines.at(-1)!.endSeconds,
    lang,
    is_generated: source === 'generated',
    text,
    ranges: markMatches(text, terms.spoken),
    picture: pictureAt(video, start),
  };
}

/** Serializes a passage that is similar in meaning. */
export function serializePassage(
  video: VideoRow,
  { lang, startMs, endMs }: Omit<FoundPassage, 'similarity'>,
  { text, source }: { text: string; source: SubtitleSource | undefined },
): Moment {
  return {
    ...plain,
    kind: 'spoken',
    start: startMs / 1000,
    end: endMs / 1000,
    lang,
    is_generated: source === 'generated',
    is_similar: true,
    ...excerpt(text, []),
    picture: pictureAt(video, startMs / 1000),
  };
}

export function serializeWritten(video: VideoRow, written: MomentText, terms: Terms): Moment {
  const { kind, ref, text, author, startSeconds } = written;
  return {
    ...plain,
    kind,
    ...excerpt(text, kind === 'note' ? terms.noted : terms.written),
    start: startSeconds,
    end: written.endSeconds,
    is_generated: written.isGenerated,
    is_former: kind === 'title',
    comment_id: kind === 'comment' ? ref : null,
    note_id: kind === 'note' ? Number(ref) : null,
    author,
    picture: startSeconds === null ? null : pictureAt(video, startSeconds),
  };
}

/** Serializes a match in the title or the tags of a video; private ones of the caller come first. */
export function serializeName(video: VideoRow, { kind, ownTags = [] }: Candidate, terms: Terms): Moment {
  if (kind === 'title') return { ...plain, kind, text: video.title, ranges: markMatches(video.title, terms.names) };
  const tags = (JSON.parse(video.tags) as string[]).filter((tag) => markMatches(tag, terms.names).length > 0);
  return { ...plain, kind, ...excerpt([...ownTags, ...tags].join(', '), terms.names) };
}

export const serializeFound = (
  video: VideoRow,
  { score, moments, more }: Pick<FoundVideo, 'score' | 'moments' | 'more'>,
): FoundVideo => ({
  youtube_id: video.id,
  title: video.title,
  channel: video.channelName,
  channel_id: video.channelId,
  thumb: thumbnailUrl(video.id),
  ...communityIn(video),
  published: new Date(video.publishedAt * 1000).toISOString(),
  duration: video.durationSeconds,
  score,
  more,
  moments,
});
