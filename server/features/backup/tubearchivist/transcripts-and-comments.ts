import { message } from '#contract/messages.ts';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db, Tx } from '../../../platform/db/db.ts';
import { cuesOfVtt } from '../../../platform/media/subtitle.ts';
import { transcriptLines, saveTranscriptOf } from '../../../archive/video/save-transcript.ts';
import { writeComments, type CommentRow } from '../../../archive/video/save-comments.ts';
import { isMissingFile } from '../../../archive/video/store.ts';
import { highestChunk, linesPerChunk } from '../../search/index/index-transcripts.ts';
import { unknownChecksum, existingVideos, type Merge, type MergeContext } from './merge-context.ts';
import { asClock, asCount, asFlag, asList, asTime } from './field-parsers.ts';
import { objectOrEmpty, storableText, type JsonObject } from '../../../platform/lib/untrusted.ts';

const maxVttBytes = 20_000_000;

/**
 * Returns the source of a track's lines, looked up once per track: `here` if all cues exist, `file` if the subtitle file exists
 * (it is read once and replaces chunks of an earlier import), else `chunks`, the fragments of about five cues in the backup.
 */
async function placeOfTrack(tx: Db | Tx, videoId: string, lang: string, { part, dryRun, tracks }: MergeContext) {
  const name = `${videoId} ${lang}`;
  const known = tracks.get(name);
  if (known) return known;
  const track = await tx
    .selectFrom('subtitle')
    .select('path')
    .where('videoId', '=', videoId)
    .where('lang', '=', lang)
    .executeTakeFirst();
  const path = track && join(part.config.mediaFolder, track.path);
  const size = path
    ? await stat(path).then(
        (file) => file.size,
        () => null,
      )
    : null;
  // A chunk occupies as many positions as it has cues, so position 1 exists only if each row is one cue.
  const second = await tx
    .selectFrom('transcriptLine')
    .select('position')
    .where('videoId', '=', videoId)
    .where('lang', '=', lang)
    .where('position', '=', 1)
    .executeTakeFirst();
  const isReadable = size !== null && size <= maxVttBytes;
  const place = second ? 'here' : isReadable ? 'file' : 'chunks';
  if (path && place === 'file' && !dryRun)
    await saveTranscriptOf(tx as Tx, videoId, { lang, lines: transcriptLines(lang, cuesOfVtt(await readFile(path, 'utf8'))) });
  tracks.set(name, place);
  return place;
}

/** Merges transcripts. */
export const mergeTranscripts: Merge = async (tx, batch, merging) => {
  const { dryRun, problem } = merging;
  const read = batch.map(({ id, doc }) => ({ id, doc, videoId: storableText(doc['youtube_id'], 64) ?? '' }));
  const videos = await existingVideos(tx, [...new Set(read.map(({ videoId }) => videoId))], merging);
  const counts = { found: 0, here: 0 };
  const rows = [];
  for (const { id, doc, videoId } of read) {
    const [lang, text] = [storableText(doc['subtitle_lang'], 30), storableText(doc['subtitle_line'], 100_000)];
    const [start, end] = [asClock(doc['subtitle_start']), asClock(doc['subtitle_end'])];
    const index = asCount(doc['subtitle_index']);
    if (!videos.has(videoId)) problem(id, message('restore.subtitle-without-video'));
    else if (!lang || text === null || start === null) problem(id, message('restore.subtitle-incomplete'));
    else if (index < 1 || index > highestChunk) problem(id, message('restore.subtitle-without-number', { count: highestChunk }));
    else {
      counts.found++;
      const place = await placeOfTrack(tx, videoId, lang, merging);
      if (place === 'here') counts.here++;
      if (place === 'chunks')
        rows.push({
          videoId,
          lang,
          position: (index - 1) * linesPerChunk, // a TubeArchivist fragment is one chunk here, with the same number
          startSeconds: start,
          endSeconds: Math.max(end ?? start, start),
          text: text.replaceAll('\n', ' '),
        });
    }
  }
  if (!dryRun && rows.length > 0)
    await tx
      .insertInto('transcriptLine')
      .values(rows)
      .onConflict((c) => c.doNothing())
      .execute();
  return counts;
};

const maxComments = 500_000;

const commentRow = (doc: JsonObject, id: string, parent: string): CommentRow => ({
  id,
  parent,
  author: storableText(doc['comment_author'], 500) ?? '',
  authorId: storableText(doc['comment_author_id'], 200) ?? '',
  authorThumbnail: storableText(doc['comment_author_thumbnail'], 2000) ?? '',
  text: storableText(doc['comment_text'], 100_000) ?? '',
  writtenAt: asTime(doc['comment_timestamp']) ?? 0,
  likeCount: typeof doc['comment_likecount'] === 'number' ? asCount(doc['comment_likecount']) : null,
  isFavorited: asFlag(doc['comment_is_favorited']),
  isByUploader: asFlag(doc['comment_author_is_uploader']),
});

/**
 * Flattens comments, which are a flat list, or nested to any depth since 2026. Each occurs once, replies after their parent.
 * Iterative, because the depth is bounded only by the length of a line.
 */
function flat(list: unknown): CommentRow[] {
  const rows = new Map<string, CommentRow>();
  const open: { some: Iterator<unknown>; parent: string | null }[] = [{ some: asList(list).values(), parent: null }];
  while (open.length > 0 && rows.size < maxComments) {
    const { some, parent } = open.at(-1)!;
    const next = some.next();
    if (next.done) {
      open.pop();
      continue;
    }
    const doc: JsonObject = objectOrEmpty(next.value);
    const id = storableText(doc['comment_id'], 300);
    if (!id) continue;
    if (!rows.has(id)) rows.set(id, commentRow(doc, id, parent ?? storableText(doc['comment_parent'], 300) ?? 'root'));
    open.push({ some: asList(doc['comment_replies']).values(), parent: id });
  }
  return [...rows.values()];
}

/** Merges comments of videos that have none here, or that were imported from such a backup. */
export const mergeComments: Merge = async (tx, batch, merging) => {
  const { dryRun, problem } = merging;
  const read = batch.map(({ id, doc }) => ({ id: storableText(doc['youtube_id'], 64) ?? id, doc }));
  const videos = await existingVideos(
    tx,
    read.map(({ id }) => id),
    merging,
  );
  const counts = { found: 0, here: 0 };
  for (const { id, doc } of read) {
    const video = videos.get(id);
    if (!video) {
      problem(id, message('restore.comments-without-video'));
      continue;
    }
    counts.found++;
    if (video.commentCount !== null) counts.here++;
    const isOurs = (video.commentCount ?? 0) > 0 && video.sha256 !== unknownChecksum && !isMissingFile(video.damage);
    if (!dryRun && !isOurs) await writeComments(tx as Tx, id, flat(doc['comment_comments']));
  }
  return counts;
};
