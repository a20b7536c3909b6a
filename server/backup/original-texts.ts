import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db, Tx } from '../db/db.ts';
import { cuesOfVtt } from '../media/subtitle.ts';
import { linesOf, saveLinesOf } from '../video/lines.ts';
import { writeComments, type CommentRow } from '../video/save-comments.ts';
import { missingFile } from '../library/missing-file.ts';
import { highestPiece, linesInPiece } from '../search/index-tracks.ts';
import { unknownSum, videosAmong, type Merge, type Merging } from './original-merge.ts';
import { asClock, asCount, asDoc, asFlag, asList, asText, asTime, type Doc } from './original-values.ts';

const mostVttBytes = 20_000_000;

/**
 * Where the lines of a track come from, looked up once: each cue is here; its file is here, which knows every cue (and is read at
 * once); else the pieces of about five cues that the backup has. Those of an earlier backup give way to a file that came since.
 */
async function placeOfTrack(tx: Db | Tx, videoId: string, lang: string, { part, dryRun, tracks }: Merging) {
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
  // A piece stands for as many lines as it holds, so the second line is only where each is one cue.
  const second = await tx
    .selectFrom('line')
    .select('position')
    .where('videoId', '=', videoId)
    .where('lang', '=', lang)
    .where('position', '=', 1)
    .executeTakeFirst();
  const isReadable = size !== null && size <= mostVttBytes;
  const place = second ? 'here' : isReadable ? 'file' : 'chunks';
  if (path && place === 'file' && !dryRun)
    await saveLinesOf(tx as Tx, videoId, { lang, lines: linesOf(lang, cuesOfVtt(await readFile(path, 'utf8'))) });
  tracks.set(name, place);
  return place;
}

/** What was spoken. */
export const mergeLines: Merge = async (tx, batch, merging) => {
  const { dryRun, problem } = merging;
  const read = batch.map(({ id, doc }) => ({ id, doc, videoId: asText(doc['youtube_id'], 64) ?? '' }));
  const videos = await videosAmong(tx, [...new Set(read.map(({ videoId }) => videoId))], merging);
  const counts = { found: 0, here: 0 };
  const rows = [];
  for (const { id, doc, videoId } of read) {
    const [lang, text] = [asText(doc['subtitle_lang'], 30), asText(doc['subtitle_line'], 100_000)];
    const [start, end] = [asClock(doc['subtitle_start']), asClock(doc['subtitle_end'])];
    const index = asCount(doc['subtitle_index']);
    if (!videos.has(videoId)) problem(id, 'The subtitle belongs to no video.');
    else if (!lang || text === null || start === null) problem(id, 'The subtitle does not say its language, time or words.');
    else if (index < 1 || index > highestPiece)
      problem(id, `The subtitle does not say which one it is, from 1 to ${highestPiece}.`);
    else {
      counts.found++;
      const place = await placeOfTrack(tx, videoId, lang, merging);
      if (place === 'here') counts.here++;
      if (place === 'chunks')
        rows.push({
          videoId,
          lang,
          position: (index - 1) * linesInPiece, // what is one fragment there is one piece here, of the same number
          startSeconds: start,
          endSeconds: Math.max(end ?? start, start),
          text: text.replaceAll('\n', ' '),
        });
    }
  }
  if (!dryRun && rows.length > 0)
    await tx
      .insertInto('line')
      .values(rows)
      .onConflict((c) => c.doNothing())
      .execute();
  return counts;
};

const mostComments = 500_000;

const commentRow = (doc: Doc, id: string, parent: string): CommentRow => ({
  id,
  parent,
  author: asText(doc['comment_author'], 500) ?? '',
  authorId: asText(doc['comment_author_id'], 200) ?? '',
  authorThumbnail: asText(doc['comment_author_thumbnail'], 2000) ?? '',
  text: asText(doc['comment_text'], 100_000) ?? '',
  writtenAt: asTime(doc['comment_timestamp']) ?? 0,
  likeCount: typeof doc['comment_likecount'] === 'number' ? asCount(doc['comment_likecount']) : null,
  isFavorited: asFlag(doc['comment_is_favorited']),
  isByUploader: asFlag(doc['comment_author_is_uploader']),
});

/**
 * Comments as they lie in a list, or nested as since 2026, however deep; each once, answers after what they answer. How deep they
 * are is bounded by nothing but the length of a line, so no call may wait for another.
 */
function flat(list: unknown): CommentRow[] {
  const rows = new Map<string, CommentRow>();
  const open: { some: Iterator<unknown>; parent: string | null }[] = [{ some: asList(list).values(), parent: null }];
  while (open.length > 0 && rows.size < mostComments) {
    const { some, parent } = open.at(-1)!;
    const next = some.next();
    if (next.done) {
      open.pop();
      continue;
    }
    const doc: Doc = asDoc(next.value);
    const id = asText(doc['comment_id'], 300);
    if (!id) continue;
    if (!rows.has(id)) rows.set(id, commentRow(doc, id, parent ?? asText(doc['comment_parent'], 300) ?? 'root'));
    open.push({ some: asList(doc['comment_replies']).values(), parent: id });
  }
  return [...rows.values()];
}

/** Comments of videos that have none here, or that came from such a backup. */
export const mergeComments: Merge = async (tx, batch, merging) => {
  const { dryRun, problem } = merging;
  const read = batch.map(({ id, doc }) => ({ id: asText(doc['youtube_id'], 64) ?? id, doc }));
  const videos = await videosAmong(
    tx,
    read.map(({ id }) => id),
    merging,
  );
  const counts = { found: 0, here: 0 };
  for (const { id, doc } of read) {
    const video = videos.get(id);
    if (!video) {
      problem(id, 'The comments belong to no video.');
      continue;
    }
    counts.found++;
    if (video.commentCount !== null) counts.here++;
    const isOurs = (video.commentCount ?? 0) > 0 && video.sha256 !== unknownSum && video.damage !== missingFile;
    if (!dryRun && !isOurs) await writeComments(tx as Tx, id, flat(doc['comment_comments']));
  }
  return counts;
};
