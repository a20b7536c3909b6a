import { z } from 'zod';
import { AudioLanguages } from './appsettings.ts';
import type { Contract } from './endpoint.ts';
import { MessageJson } from './message-json.ts';
import { flag, Id, integer } from './field-types.ts';

// Audio tracks of videos, and renditions (audio only, or another audio track) rendered on request. Not in TubeArchivist.

/** `original` and `default` are as the site says, `dub` is by people, `auto_dub` by a program, `description` for blind people. */
export const soundKinds = ['original', 'default', 'dub', 'auto_dub', 'description', 'unknown'] as const;
export type SoundKind = (typeof soundKinds)[number];

export const AudioTrack = z.object({
  /** Stream index in the file. */
  index: z.int(),
  /** Language tag such as `de` or `pt-BR`; null if unknown. */
  language: z.string().nullable(),
  title: z.string().nullable(),
  /** Null if the site did not say it. */
  kind: z.enum(soundKinds).nullable(),
  /** Name in ffprobe. */
  codec: z.string(),
  channels: z.int(),
  /** The default track of the file. */
  is_default: z.boolean(),
});
export type AudioTrack = z.infer<typeof AudioTrack>;

export const Rendition = z.object({
  /** `file`: the original file fits. `ready`: at `media_url`. `making`: repeat the request. `impossible`: see `why`. */
  state: z.enum(['file', 'ready', 'making', 'impossible']),
  media_url: z.string().nullable(),
  why: z.string().nullable(),
  /** `why` as ids with parameters. */
  why_messages: z.array(MessageJson).nullable(),
});
export type Rendition = z.infer<typeof Rendition>;

/** Sound tracks to fetch: those of a site that a video does not have. `original` is fetched too if it is missing. */
export const WantedSounds = z.object({ audio_languages: AudioLanguages, audio_auto_dubs: flag().default(false) });

const VideoId = z.object({ id: Id });

export const renditionCalls = {
  'GET /api/video/:id/audio/': {
    may: 'user',
    does: 'List the audio tracks of a video (Reelkeep)',
    params: VideoId,
    reply: z.array(AudioTrack),
  },
  'POST /api/video/:id/rendition/': {
    may: 'user',
    scope: 'read',
    does: 'Request the audio of a video, or the video with another audio track (`track`, a stream index). Missing files are rendered; a request is dropped if it is not repeated within two minutes (Reelkeep)',
    params: VideoId,
    body: z.object({ track: integer({ min: 0, max: 10_000 }).optional(), picture: flag().default(false) }),
    reply: Rendition,
  },
} satisfies Contract;
