import { z } from 'zod';
import type { Contract } from './call.ts';
import { Said } from './said.ts';
import { flag, Id, integer } from './values.ts';

// Ours: the sounds that a video has, and files with another of them, or with the sound alone, that are made when they are asked for.

export const AudioTrack = z.object({
  /** Among the streams of the file. */
  index: z.int(),
  /** As in `de` or `pt-BR`; null where the file does not tell. */
  language: z.string().nullable(),
  title: z.string().nullable(),
  /** As ffprobe calls it. */
  codec: z.string(),
  channels: z.int(),
  /** What the file plays by itself. */
  is_default: z.boolean(),
});
export type AudioTrack = z.infer<typeof AudioTrack>;

export const Rendition = z.object({
  /** `file`: the video's own file is that already. `ready`: `media_url` is it. `making`: ask again. `impossible`: `why` says it. */
  state: z.enum(['file', 'ready', 'making', 'impossible']),
  media_url: z.string().nullable(),
  why: z.string().nullable(),
  said: Said,
});
export type Rendition = z.infer<typeof Rendition>;

const VideoId = z.object({ id: Id });

export const renditionCalls = {
  'GET /api/video/:id/audio/': {
    may: 'user',
    does: 'Ours: the sounds that the file of a video has, such as several languages',
    params: VideoId,
    reply: z.array(AudioTrack),
  },
  'POST /api/video/:id/rendition/': {
    may: 'user',
    does: 'Ours: ask for the sound of a video alone, or for its picture with another of its sounds (`track`, an index); it is made if it is not there, and forgotten when nobody asks again for two minutes',
    params: VideoId,
    body: z.object({ track: integer({ min: 0, max: 10_000 }).optional(), picture: flag().default(false) }),
    reply: Rendition,
  },
} satisfies Contract;
