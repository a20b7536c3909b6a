import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { MessageJson } from './message-json.ts';
import { flag, Id, integer } from './field-types.ts';

// How a browser can play a video. Not in TubeArchivist.

/** SDR, or HDR by its transfer function. */
export const dynamicRanges = ['sdr', 'pq', 'hlg'] as const;
export type DynamicRange = (typeof dynamicRanges)[number];

/**
 * `direct`: the file itself. `repack`: its streams in another container. `convert_sound`: the picture as it is, the sound as AAC.
 * `small`: a copy as H.264 and AAC that was fetched from the source. `hls`: encoded by the server while it is watched, HTTP Live Streaming.
 * `none`: the browser cannot play it.
 */
export const playbackMethods = ['direct', 'repack', 'convert_sound', 'small', 'hls', 'none'] as const;
export type PlaybackMethod = (typeof playbackMethods)[number];
/** Methods that can fail. */
export type TriedMethod = Exclude<PlaybackMethod, 'none'>;

/** Subtypes of the MIME types of files. */
export const mediaContainers = ['mp4', 'webm', 'x-matroska', 'ogg', 'mpeg', 'flac'] as const;
export type MediaContainer = (typeof mediaContainers)[number];

const codec = z
  .string()
  .max(64)
  .regex(/^[\w.-]+$/, 'Use a codec string such as avc1.640028.');
const containers = z.array(z.enum(mediaContainers)).max(mediaContainers.length);

/** What a browser can decode. */
export const Capabilities = z.object({
  /** Codec strings of RFC 6381 with the containers in which they play; `max_height`: of the largest picture. */
  video: z.array(z.object({ codec, containers, max_height: integer({ min: 1, max: 100_000 }).optional() })).max(64),
  audio: z.array(z.object({ codec, containers })).max(64),
  /** The screen shows a high dynamic range. */
  hdr: flag(),
  /** It plays HTTP Live Streaming with H.264 and AAC. */
  hls: flag().default(false),
});
export type Capabilities = z.infer<typeof Capabilities>;

export const Playback = z.object({
  method: z.enum(playbackMethods),
  /** Null for `none`, and while a copy is being made: then repeat the request. */
  media_url: z.string().nullable(),
  /** Why it is this method, in sentences; empty if the file plays as it is. */
  reasons: z.array(z.string()),
  /** `reasons` as ids with parameters. */
  reason_messages: z.array(MessageJson),
  /** Of the picture that the server encodes; null for other methods. */
  height: z.int().nullable(),
  /** Heights that can be requested, highest first; empty if the server cannot encode the video for this browser. */
  heights: z.array(z.int()),
});
export type Playback = z.infer<typeof Playback>;

export const playbackCalls = {
  'POST /api/video/:id/playback/': {
    may: 'user',
    scope: 'read',
    does: 'Choose how a browser plays a video: the file, or a copy in another container, which is made on request; a request is dropped if it is not repeated within two minutes (Reelkeep)',
    params: z.object({ id: Id }),
    body: z.object({
      can: Capabilities,
      /** Stream index of the sound track; the first one if absent. */
      track: integer({ min: 0, max: 10_000 }).optional(),
      /** Height of the picture in pixels, for slow connections; the nearest lower one if it is not offered. */
      height: integer({ min: 1, max: 10_000 }).optional(),
      /** Methods that failed in this browser. */
      previous_failed: z
        .array(z.enum(['direct', 'repack', 'convert_sound', 'small', 'hls']))
        .max(8)
        .default([]),
    }),
    reply: Playback,
  },
} satisfies Contract;
