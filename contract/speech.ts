import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { Id, text } from './field-types.ts';
import { MessageJson } from './message-json.ts';
import { settings } from './settings.ts';

// Transcripts of videos without captions, by a speech model. Not in TubeArchivist.

/** Which videos without captions are transcribed. */
export const transcribeChoices = settings.speech.transcribe.of;
export type TranscribeChoice = (typeof transcribeChoices)[number];

export const SpokenLanguage = text(35).regex(/^[a-z]{2,3}$/, 'Not a language such as en or de.');

/** Models of the hub that can be downloaded. */
export const HubModel = z.enum(['base', 'small', 'medium', 'large-v3-turbo']);
export type HubModel = z.infer<typeof HubModel>;

/** A folder with a speech model in the format of CTranslate2. */
export const SpeechModel = z.object({
  /** Name of its folder. */
  name: z.string(),
  bytes: z.int(),
  /** It understands English only. */
  is_english_only: z.boolean(),
  /** Why it cannot be used, in English and as messages. */
  problem: z.string().nullable(),
  problem_messages: z.array(MessageJson).nullable(),
});
export type SpeechModel = z.infer<typeof SpeechModel>;

export const Speech = z.object({
  engine: z.object({
    /** Version of the installed engine; null: not installed. */
    version: z.string().nullable(),
    /** Version to which it can be rolled back. */
    previous: z.string().nullable(),
    /** An engine of the operator (`REELKEEP_MODELS_PYTHON`), which is not installed or updated here. */
    is_configured: z.boolean(),
    /** A newer version than the installed one comes with this version of Reelkeep. */
    has_update: z.boolean(),
  }),
  models: z.array(SpeechModel),
  /** Folder of the models. */
  folder: z.string(),
  /** Why transcripts cannot be made now; null: they can. */
  problem: z.string().nullable(),
  problem_messages: z.array(MessageJson).nullable(),
  /** Videos with sound and without captions, and their seconds. */
  videos: z.int(),
  seconds: z.number(),
  /** Seconds of video transcribed in a second, of the last video; null: not measured yet. */
  speed: z.number().nullable(),
  /** Nights until everything missing is transcribed; null: without hours or a measured speed. */
  nights: z.int().nullable(),
});
export type Speech = z.infer<typeof Speech>;

export const SpeechTest = z.object({
  /** What the model understood. */
  text: z.string(),
  /** Seconds of sound transcribed in a second. */
  speed: z.number(),
  /** Bytes of memory that its process needed. */
  memory: z.int(),
});
export type SpeechTest = z.infer<typeof SpeechTest>;

export const Transcription = z.object({
  /** `none`: not requested. `captions`: not needed. */
  state: z.enum(['none', 'captions', 'queued', 'running', 'done', 'no_speech', 'failed']),
  /** Seconds of the video that are finished. */
  done: z.number(),
  /** Why it failed, or why nothing is transcribed now, in English and as messages. */
  why: z.string().nullable(),
  why_messages: z.array(MessageJson).nullable(),
  /** Seconds of work, estimated; null: unknown. */
  work: z.number().nullable(),
  /** When the background hours start next, epoch seconds; null: it need not wait for them. */
  starts_at: z.int().nullable(),
  /** What is finished of a transcript that is being made; times in seconds. */
  lines: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })),
});
export type Transcription = z.infer<typeof Transcription>;

const OfVideo = z.object({ id: Id });

export const speechCalls = {
  'GET /api/speech/': {
    may: 'staff',
    does: 'Show the speech engine, its models and what is left to transcribe (Reelkeep)',
    reply: Speech,
  },
  'POST /api/speech/engine/': {
    may: 'staff',
    does: 'Install or update the speech engine, or roll it back (Reelkeep)',
    conflict: 'there is no earlier version, the operator has configured an engine, or there are several servers',
    body: z.object({ action: z.enum(['install', 'rollback']) }),
    reply: z.object({ task_id: z.string().nullable() }),
  },
  'POST /api/speech/model/': {
    may: 'staff',
    does: 'Download a speech model (Reelkeep)',
    conflict: 'each of several servers has its own folder of models',
    body: z.object({ name: HubModel }),
    reply: z.object({ task_id: z.string() }),
  },
  'POST /api/speech/test/': {
    may: 'staff',
    does: 'Transcribe ten seconds of English with a speech model, which takes up to a minute (Reelkeep)',
    conflict: 'the engine or the model cannot be used',
    body: z.object({ name: text(200) }),
    reply: SpeechTest,
  },
  'GET /api/video/:id/transcribe/': {
    may: 'user',
    does: 'Show whether a transcript of a video is being made; needs the permission to request transcripts (Reelkeep)',
    params: OfVideo,
    reply: Transcription,
  },
  'POST /api/video/:id/transcribe/': {
    may: 'user',
    does: 'Request a transcript of a video without captions; needs the permission to request transcripts, `now` an administrator (Reelkeep)',
    conflict: 'the video has no sound, has captions, its file is missing, or it is queued',
    params: OfVideo,
    body: z.object({
      /** Spoken language; without it, it is recognized. */
      lang: SpokenLanguage.optional(),
      /** Also outside the background hours. */
      now: z.boolean().default(false),
    }),
    reply: Transcription,
  },
  'DELETE /api/video/:id/transcript/:lang/': {
    may: 'staff',
    does: 'Delete a generated transcript (Reelkeep)',
    params: z.object({ id: Id, lang: text(35) }),
  },
} satisfies Contract;
