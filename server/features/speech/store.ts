import { z } from 'zod';
import type { Message } from '#contract/messages.ts';
import type { TranscribeChoice } from '#contract/speech.ts';
import { sql, type ExpressionBuilder, type Selectable } from 'kysely';
import { parseOverrides, readSettings } from '../../archive/settings/store.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { inTransaction, type Db, type Tx } from '../../platform/db/db.ts';
import type { Tables, TranscriptionTable } from '../../platform/db/schema/tables.ts';
import type { Cue } from '../../platform/media/subtitle.ts';
import { scheduleDeletion } from '../../archive/storage/pending-deletions.ts';
import { storeMessages } from '../../platform/messages/stored.ts';

export type TranscriptionRow = Selectable<TranscriptionTable>;

/** Which videos are transcribed: the setting, and the channels that override it. */
export interface TranscribeChoices {
  everywhere: TranscribeChoice;
  channels: Map<string, TranscribeChoice>;
}

/** Returns what the settings and those of channels say. */
export async function transcribeChoicesOf(db: Db): Promise<TranscribeChoices> {
  const rows = await db
    .selectFrom('channel')
    .select(['id', 'overwrites'])
    .where('overwrites', 'like', '%"transcribe":"%')
    .execute();
  const channels = new Map<string, TranscribeChoice>();
  for (const { id, overwrites } of rows) {
    const { transcribe } = parseOverrides(overwrites);
    if (transcribe) channels.set(id, transcribe);
  }
  return { everywhere: (await readSettings(db)).speech.transcribe, channels };
}

export const choiceOf = ({ everywhere, channels }: TranscribeChoices, channelId: string): TranscribeChoice =>
  channels.get(channelId) ?? everywhere;

/** Whether nothing is transcribed at all. */
export const isAllOff = ({ everywhere, channels }: TranscribeChoices): boolean =>
  everywhere === 'off' && [...channels.values()].every((choice) => choice === 'off');

/** A video to transcribe. */
export interface WantedVideo {
  id: string;
  channelId: string;
  title: string;
  mediaPath: string;
  durationSeconds: number;
  sha256: string;
  isUrgent: boolean;
}

// Longer videos are transcribed on request only.
const longestSeconds = 6 * 3600;
// A video that ends the engine is not tried again and again.
export const maxAttempts = 3;

const Cues = z.array(z.object({ start: z.number(), end: z.number(), text: z.string() }));
/** Parses the cues of a row; null if they are invalid, because rows of a backup are untrusted. */
export function parseCues(json: string): Cue[] | null {
  try {
    return Cues.parse(JSON.parse(json));
  } catch {
    return null;
  }
}

export const findTranscription = (db: Db, videoId: string): Promise<TranscriptionRow | undefined> =>
  db.selectFrom('transcription').selectAll().where('videoId', '=', videoId).executeTakeFirst();

/** Restricts videos to channels for which this is chosen. */
const ofChoice = (
  w: ExpressionBuilder<Tables, 'video'>,
  { everywhere, channels }: TranscribeChoices,
  choices: TranscribeChoice[],
) => {
  const own = [...channels].flatMap(([id, choice]) => (choices.includes(choice) ? [id] : []));
  return choices.includes(everywhere)
    ? w.or([w('channelId', 'not in', [...channels.keys(), '']), w('channelId', 'in', [...own, ''])])
    : w('channelId', 'in', [...own, '']);
};

/**
 * Videos with sound, without captions of people or of their site, and not yet transcribed from their present file. What one model has
 * failed at is left to others.
 */
const withoutCaptions = (db: Db, model: string | null) =>
  db
    .selectFrom('video')
    .where((w) =>
      w.exists(w.selectFrom('stream').select('videoId').whereRef('videoId', '=', 'video.id').where('type', '=', 'audio')),
    )
    .where((w) =>
      w.not(
        w.exists(
          w.selectFrom('subtitle').select('videoId').whereRef('videoId', '=', 'video.id').where('source', '!=', 'generated'),
        ),
      ),
    )
    .where((w) =>
      w.not(
        w.exists(
          w
            .selectFrom('transcription')
            .select('videoId')
            .whereRef('videoId', '=', 'video.id')
            .whereRef('transcription.sha256', '=', 'video.sha256')
            .where((t) =>
              t.or([
                t('state', 'in', ['done', 'no_speech', 'deleted']),
                t.and([t('state', '=', 'failed'), t('model', '=', model)]),
              ]),
            ),
        ),
      ),
    )
    .where('durationSeconds', '<=', longestSeconds);

/** Returns the number of videos that lack a transcript, and their seconds; without those of channels that want none. */
export async function missingTranscripts(db: Db, model: string | null): Promise<{ videos: number; seconds: number }> {
  const { channels } = await transcribeChoicesOf(db);
  const row = await withoutCaptions(db, model)
    .where((w) => ofChoice(w, { everywhere: 'request', channels }, ['request', 'missing']))
    .select((e) => [
      e.fn.countAll<number>().as('videos'),
      e.fn.coalesce(e.fn.sum<number>('durationSeconds'), e.lit(0)).as('seconds'),
    ])
    .executeTakeFirstOrThrow();
  return { videos: Number(row.videos), seconds: Number(row.seconds) };
}

const columns = ['video.id', 'channelId', 'title', 'mediaPath', 'durationSeconds', 'video.sha256'] as const;

/**
 * Returns the next video: requested ones in the order of their requests, then with `withMissing` the newest one without captions of
 * those that are all transcribed.
 * `onlyUrgent`: outside the background hours.
 */
export async function nextVideo(
  db: Db,
  choices: TranscribeChoices,
  { model, withMissing, onlyUrgent }: { model: string | null; withMissing: boolean; onlyUrgent: boolean },
): Promise<WantedVideo | null> {
  const requested = await db
    .selectFrom('transcription')
    .innerJoin('video', 'video.id', 'transcription.videoId')
    .select([...columns, 'isUrgent'])
    .where('state', '=', 'queued')
    .where('isRequested', '=', 1)
    .$if(onlyUrgent, (q) => q.where('isUrgent', '=', 1))
    .orderBy('isUrgent', 'desc')
    .orderBy('changedAt')
    .limit(1)
    .executeTakeFirst();
  if (requested) return { ...requested, isUrgent: requested.isUrgent === 1 };
  if (onlyUrgent || !withMissing) return null;
  const missing = await withoutCaptions(db, model)
    .where((w) => ofChoice(w, choices, ['missing']))
    .select(columns)
    .orderBy('downloadedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return missing ? { ...missing, isUrgent: false } : null;
}

/** Returns seconds of video for each second of work, of the last finished transcripts of a model; null without any. */
export async function measuredSpeed(db: Db, model: string | null): Promise<number | null> {
  const last = await db
    .selectFrom('transcription')
    .select(['doneMs', 'workMs'])
    .where('state', '=', 'done')
    .where('model', '=', model)
    .where('workMs', '>', 0)
    .orderBy('changedAt', 'desc')
    .limit(20)
    .execute();
  const sum = (key: 'doneMs' | 'workMs') => last.reduce((total, row) => total + row[key], 0);
  return last.length === 0 ? null : sum('doneMs') / sum('workMs');
}

const fresh = { model: null, lang: null, reason: null, doneMs: 0, workMs: 0, cues: '[]', attempts: 0, startedAt: null };

/** Queues a request. What an earlier attempt has finished of the same file is kept unless it failed. */
export async function requestTranscription(
  { db, now }: Pick<AppContext, 'db' | 'now'>,
  { id, sha256 }: { id: string; sha256: string },
  { lang, isUrgent }: { lang: string | null; isUrgent: boolean },
): Promise<void> {
  const row = {
    ...fresh,
    sha256,
    lang,
    state: 'queued' as const,
    isRequested: 1 as const,
    isUrgent: isUrgent ? (1 as const) : (0 as const),
    changedAt: now(),
  };
  await db
    .insertInto('transcription')
    .values({ videoId: id, ...row })
    .onConflict((c) => c.column('videoId').doUpdateSet(row))
    .execute();
}

/** Lets a queued video be transcribed outside the background hours too. */
export const makeUrgent = (db: Db, videoId: string) =>
  db.updateTable('transcription').set({ isUrgent: 1 }).where('videoId', '=', videoId).where('state', '=', 'queued').execute();

/** Returns the row of a video whose work begins or continues; made anew for another file or model. */
export async function beginTranscription(
  { db, now }: Pick<AppContext, 'db' | 'now'>,
  { id, sha256 }: WantedVideo,
  model: string,
): Promise<TranscriptionRow> {
  const found = await findTranscription(db, id);
  const continues = found?.state === 'queued' && found.sha256 === sha256 && (found.model === null || found.model === model);
  const row: TranscriptionRow = {
    videoId: id,
    isRequested: 0,
    isUrgent: 0,
    ...(continues ? found : { ...(found && { isRequested: found.isRequested, isUrgent: found.isUrgent }), ...fresh }),
    sha256,
    model,
    state: 'queued',
    startedAt: now(),
    changedAt: found?.changedAt ?? now(),
  };
  const attempts = row.attempts + 1;
  const { videoId, ...set } = { ...row, attempts };
  // Of a video that was deleted meanwhile there is no row to refer to.
  await db
    .insertInto('transcription')
    .values({ videoId, ...set })
    .onConflict((c) => c.column('videoId').doUpdateSet(set))
    .execute();
  return { ...row, attempts };
}

/** Saves what is finished of a video, so that a stop at any moment loses one slice at most. It also proves that an attempt succeeds. */
export const saveProgress = (
  db: Db,
  videoId: string,
  { lang, doneMs, workMs, cues }: { lang: string; doneMs: number; workMs: number; cues: Cue[] },
) =>
  db
    .updateTable('transcription')
    .set({ lang, doneMs, workMs, cues: JSON.stringify(cues), attempts: 0 })
    .where('videoId', '=', videoId)
    .execute();

/** Ends the work on a video. The cues are in its track. */
export const finishTranscription = (
  db: Db | Tx,
  videoId: string,
  { state, why, now }: { state: 'done' | 'no_speech' | 'failed'; why?: Message[]; now: number },
) =>
  db
    .updateTable('transcription')
    .set({ state, reason: why ? storeMessages(why) : null, cues: '[]', startedAt: null, changedAt: now })
    .where('videoId', '=', videoId)
    .execute();

/** Ends the work on a video for now. It was not the fault of the video, so it is no attempt. */
export const interruptTranscription = (db: Db, videoId: string) =>
  db
    .updateTable('transcription')
    .set({ attempts: sql`case when "attempts" > 0 then "attempts" - 1 else 0 end`, startedAt: null })
    .where('videoId', '=', videoId)
    .execute();

export const findVideo = (db: Db, id: string) =>
  db
    .selectFrom('video')
    .select(['id', 'channelId', 'sha256', 'mediaPath', 'durationSeconds'])
    .where('id', '=', id)
    .executeTakeFirst();

/** Returns captions of people or of the site; those of a language only if one is given. */
export async function captionsOf(db: Db, videoId: string, lang?: string): Promise<{ lang: string; name: string } | undefined> {
  const rows = await db
    .selectFrom('subtitle')
    .select(['lang', 'name'])
    .where('videoId', '=', videoId)
    .where('source', '!=', 'generated')
    .orderBy('lang')
    .execute();
  return rows.find((row) => lang === undefined || row.lang.split('-')[0] === lang);
}

export async function hasSound(db: Db, videoId: string): Promise<boolean> {
  const audio = db.selectFrom('stream').select('videoId').where('videoId', '=', videoId).where('type', '=', 'audio');
  return (await audio.executeTakeFirst()) !== undefined;
}

/** Deletes a generated track with its lines, and records its file for deletion. Returns the path, or null if there is none. */
export const deleteGeneratedTrack = (db: Db, videoId: string, lang: string): Promise<string | null> =>
  inTransaction(db, async (tx) => {
    const track = await tx
      .deleteFrom('subtitle')
      .where('videoId', '=', videoId)
      .where('lang', '=', lang)
      .where('source', '=', 'generated')
      .returning('path')
      .executeTakeFirst();
    if (!track) return null;
    await tx.deleteFrom('transcriptLine').where('videoId', '=', videoId).where('lang', '=', lang).execute();
    // It is not made again unless it is requested.
    await tx.updateTable('transcription').set({ state: 'deleted' }).where('videoId', '=', videoId).execute();
    await scheduleDeletion(tx, [track.path]);
    return track.path;
  });

/** Whether a user who is not an administrator may request transcripts. */
export const mayRequestTranscripts = async ({ lookups }: Db, id: number): Promise<boolean> =>
  (await lookups.selectFrom('account').select('mayTranscribe').where('id', '=', id).executeTakeFirst())?.mayTranscribe === 1;
