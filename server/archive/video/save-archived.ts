import { dynamicRanges } from '#contract/playback.ts';
import { soundKinds } from '#contract/rendition.ts';
import { z } from 'zod';
import type { Tx } from '../../platform/db/db.ts';
import type { VideoTable } from '../../platform/db/schema/tables.ts';
import { normalizeText } from '../../platform/lib/normalize-text.ts';
import { saveChat, StoredChat, wantReplay } from '../chat/store.ts';
import { saveTextHistory } from './metadata-history.ts';
import { dropOtherCopy } from './small-copy.ts';
import { TranscriptLine, saveTranscriptOf } from './save-transcript.ts';
import { isRecording, type Recording } from './recording.ts';
import { storedMusic } from './music.ts';
import { isLimitation, type Limitation } from './limitation.ts';
import { writeComments } from './save-comments.ts';

const flag = z.union([z.literal(0), z.literal(1)]);
const count = z.int().min(0);

/** All data of a video when it is archived. Stored in the manifest until it is saved. */
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
  /** Original download time of an imported video. */
  downloadedAt: z.int().optional(),
  /** Set for imports: protects the video from cleanup rules. */
  isProtected: flag.optional(),
  /** Formats were skipped, so it is of a lower quality than at the site. */
  limitation: z.custom<Limitation>(isLimitation).nullable().optional(),
  /** How its stream was recorded. */
  live: z.custom<Recording>(isRecording).nullable().optional(),
  durationSeconds: count,
  sizeBytes: count,
  sha256: z.string(),
  mediaPath: z.string(),
  width: count,
  height: count,
  music: z
    .object({
      artists: z.array(z.string()),
      album: z.string().nullable(),
      track: z.string().nullable(),
      year: z.int().nullable(),
    })
    .nullable()
    .optional(),
  categories: z.array(z.string()),
  tags: z.array(z.string()),
  chapters: z.array(z.object({ title: z.string(), start: z.number(), end: z.number() })),
  /** In the form of the API, or null if it was not fetched. */
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
      language: z.string().max(35).nullable().default(null),
      kind: z.enum(soundKinds).nullable().default(null),
      profile: z.string().nullable().default(null),
      bitDepth: count.nullable().default(null),
      dynamicRange: z.enum(dynamicRanges).nullable().default(null),
    }),
  ),
  subtitles: z.array(
    z.object({ lang: z.string(), source: z.enum(['user', 'auto', 'file', 'generated']), name: z.string(), path: z.string() }),
  ),
  /** Transcript, for the search. */
  lines: z.array(TranscriptLine).default([]),
  /** The chat of the stream. */
  chat: StoredChat.optional(),
  /** When the replay of the chat is fetched, epoch seconds; never if absent. */
  chatAt: z.int().optional(),
  /** Null if comments were not fetched. */
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

/** Columns that another download of the same video sets again. */
type SetByDownload = Exclude<
  keyof VideoTable,
  'downloadedAt' | 'isProtected' | 'commentCount' | 'upgradeLog' | 'branding' | 'musicEdit'
>;

/** Inserts a video with all its related rows, or updates it after another download. Data of users are kept. */
export async function saveArchivedVideo(tx: Tx, archived: ArchivedVideo, now: number) {
  const {
    downloadedAt = now,
    isProtected = 0,
    streams,
    subtitles,
    lines,
    comments,
    chat,
    chatAt,
    categories,
    tags,
    chapters,
    sponsorblock,
    limitation = null,
    live = null,
    music = null,
    ...plain
  } = archived;
  const row = {
    ...plain,
    sortTitle: normalizeText(plain.title),
    categories: JSON.stringify(categories),
    tags: JSON.stringify(tags),
    chapters: JSON.stringify(chapters),
    sponsorblock: sponsorblock ? JSON.stringify(sponsorblock) : null,
    refreshedAt: now,
    isActive: 1 as const,
    unavailableSince: null,
    unavailableReason: null,
    verifiedAt: null,
    damage: null,
    limitation: limitation && JSON.stringify(limitation),
    live: live && JSON.stringify(live),
    music: storedMusic(music),
    upgrade: null,
    sourceSeconds: null,
  } satisfies Record<SetByDownload, unknown>;
  await saveTextHistory(tx, plain, now);
  await tx
    .insertInto('video')
    .values({ ...row, commentCount: null, downloadedAt, isProtected })
    .onConflict((c) => c.column('id').doUpdateSet(row))
    .execute();

  const videoId = archived.id;
  await dropOtherCopy(tx, videoId, archived.durationSeconds);
  await tx.deleteFrom('stream').where('videoId', '=', videoId).execute();
  if (streams.length > 0)
    await tx
      .insertInto('stream')
      .values(streams.map((stream) => ({ ...stream, videoId })))
      .execute();
  // Subtitles that the site no longer offers are kept with their transcripts, because they may exist nowhere else.
  for (const subtitle of subtitles)
    await tx
      .insertInto('subtitle')
      .values({ ...subtitle, videoId })
      .onConflict((c) => c.columns(['videoId', 'lang']).doUpdateSet(subtitle))
      .execute();
  for (const [lang, some] of Map.groupBy(lines, (line) => line.lang)) await saveTranscriptOf(tx, videoId, { lang, lines: some });
  if (comments) await writeComments(tx, videoId, comments);
  if (chat) await saveChat(tx, videoId, chat, { now, attempts: 0, nextAt: chatAt ?? null });
  else if (chatAt !== undefined) await wantReplay(tx, videoId, chatAt);
}
