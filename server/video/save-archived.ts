import { z } from 'zod';
import type { Tx } from '../db/db.ts';
import { foldText } from '../fold-text.ts';
import { keepEarlierWords } from './earlier.ts';
import { Line, saveLinesOf } from './lines.ts';
import { writeComments } from './save-comments.ts';

const flag = z.union([z.literal(0), z.literal(1)]);
const count = z.int().min(0);

/** Everything about a video that is known the moment it is archived; it is kept in a manifest until it is saved. */
export const ArchivedVideo = z.object({
  id: z.string(),
  site: z.string(),
  siteId: z.string(),
  channelId: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  kind: z.enum(['videos', 'streams', 'shorts']),
  url: z.string().nullable(),
  publishedAt: z.int(),
  /** When somebody fetched it, if not just now: it was brought in from elsewhere. */
  downloadedAt: z.int().optional(),
  /** Brought in by a person: no rule deletes it, unless they say so. */
  isKept: flag.optional(),
  durationSeconds: count,
  sizeBytes: count,
  sha256: z.string(),
  mediaPath: z.string(),
  width: count,
  height: count,
  categories: z.array(z.string()),
  tags: z.array(z.string()),
  chapters: z.array(z.object({ title: z.string(), start: z.number(), end: z.number() })),
  /** As the API shows it, or null when it was not asked for. */
  sponsorblock: z.unknown(),
  viewCount: count,
  likeCount: count,
  dislikeCount: count,
  averageRating: z.number(),
  streams: z.array(
    z.object({
      position: count,
      type: z.enum(['video', 'audio']),
      codec: z.string(),
      bitrate: count,
      width: count.nullable(),
      height: count.nullable(),
    }),
  ),
  subtitles: z.array(
    z.object({ lang: z.string(), source: z.enum(['user', 'auto', 'file']), name: z.string(), path: z.string() }),
  ),
  /** What is spoken, to be searched. */
  lines: z.array(Line).default([]),
  /** Null when comments were not asked for. */
  comments: z
    .array(
      z.object({
        id: z.string(),
        parent: z.string(),
        author: z.string(),
        authorId: z.string(),
        authorThumbnail: z.string(),
        text: z.string(),
        writtenAt: z.int(),
        likeCount: z.int().nullable(),
        isFavorited: flag,
        isByUploader: flag,
      }),
    )
    .nullable(),
});
export type ArchivedVideo = z.infer<typeof ArchivedVideo>;

/** Writes an archived video and all that hangs on it; over the earlier one when it was fetched again. What people did with it stays. */
export async function saveArchived(tx: Tx, archived: ArchivedVideo, now: number) {
  const {
    downloadedAt = now,
    isKept = 0,
    streams,
    subtitles,
    lines,
    comments,
    categories,
    tags,
    chapters,
    sponsorblock,
    ...plain
  } = archived;
  const row = {
    ...plain,
    sortTitle: foldText(plain.title),
    categories: JSON.stringify(categories),
    tags: JSON.stringify(tags),
    chapters: JSON.stringify(chapters),
    sponsorblock: sponsorblock ? JSON.stringify(sponsorblock) : null,
    refreshedAt: now,
    isActive: 1 as const,
    goneSince: null,
    goneAs: null,
    verifiedAt: null,
    damage: null,
  };
  await keepEarlierWords(tx, plain, now);
  await tx
    .insertInto('video')
    .values({ ...row, commentCount: null, downloadedAt, isKept })
    .onConflict((c) => c.column('id').doUpdateSet(row))
    .execute();

  const videoId = archived.id;
  await tx.deleteFrom('stream').where('videoId', '=', videoId).execute();
  if (streams.length > 0)
    await tx
      .insertInto('stream')
      .values(streams.map((stream) => ({ ...stream, videoId })))
      .execute();
  // What a site offers no more stays, with its lines: nobody else may have it any more either.
  for (const subtitle of subtitles)
    await tx
      .insertInto('subtitle')
      .values({ ...subtitle, videoId })
      .onConflict((c) => c.columns(['videoId', 'lang']).doUpdateSet(subtitle))
      .execute();
  for (const [lang, some] of Map.groupBy(lines, (line) => line.lang)) await saveLinesOf(tx, videoId, { lang, lines: some });
  if (comments) await writeComments(tx, videoId, comments);
}
