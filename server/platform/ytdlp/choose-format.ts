import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { DynamicRange } from '#contract/playback.ts';
import type { Settings } from '#contract/settings.ts';
import { run } from '../process/run.ts';
import { readJson } from './info.ts';
import { callOptions, choiceOptions, type Choice, type Ytdlp } from './options.ts';

const number = z.number().positive().finite().nullish().catch(null);
const word = z.string().max(200).nullish().catch(null);

const Format = z.object({
  format_id: word,
  width: number,
  height: number,
  fps: number,
  vcodec: word,
  dynamic_range: word,
  /** Kilobits per second. */
  tbr: number,
  vbr: number,
  filesize: number,
  filesize_approx: number,
});
type Format = z.infer<typeof Format>;

const formats = z.array(Format.nullable().catch(null)).nullish().catch(null);
const Chosen = Format.extend({ requested_formats: formats });
const Info = z.object({
  id: z.string(),
  title: z.string().catch(''),
  extractor: word,
  extractor_key: word,
  duration: number,
  formats: z.array(z.record(z.string(), z.unknown())).catch([]),
});

/** The picture of a format, as the site announces it. */
export interface AnnouncedPicture {
  /** Pixels. */
  width: number;
  height: number;
  /** Frames per second; null if unknown. */
  fps: number | null;
  /** Name in ffprobe. */
  codec: string;
  /** Null if unknown. */
  dynamicRange: DynamicRange | null;
  /** Bits per second; null if unknown. */
  bitrate: number | null;
  /** Enlarged by a program of the site. */
  isUpscaled: boolean;
}

// Beginnings of RFC 6381 codec strings, and the names of ffprobe.
const codecNames: [beginning: RegExp, name: string][] = [
  [/^(avc|h264)/i, 'h264'],
  [/^(hev|hvc|h265|hevc)/i, 'hevc'],
  [/^(av01|av1)/i, 'av1'],
  [/^(vp09|vp9)/i, 'vp9'],
  [/^(vp08|vp8)/i, 'vp8'],
];
const codecOf = (text: string) =>
  codecNames.find(([beginning]) => beginning.test(text))?.[1] ?? text.split('.')[0]!.toLowerCase();

const hasPicture = ({ vcodec, width, height }: Format) =>
  vcodec != null && vcodec !== 'none' && typeof width === 'number' && typeof height === 'number';

function rangeOf(text: string | null | undefined): DynamicRange | null {
  if (!text) return null;
  return text === 'SDR' ? 'sdr' : text === 'HLG' ? 'hlg' : 'pq';
}

function pictureOf(format: Format): AnnouncedPicture | null {
  if (!hasPicture(format)) return null;
  const { width, height, fps, vcodec, dynamic_range, tbr, vbr, format_id } = format;
  const kilobits = vbr ?? tbr ?? null;
  return {
    width: width!,
    height: height!,
    fps: fps ?? null,
    codec: codecOf(vcodec!),
    dynamicRange: rangeOf(dynamic_range),
    bitrate: kilobits === null ? null : Math.round(kilobits * 1000),
    isUpscaled: (format_id ?? '').endsWith('-sr'),
  };
}

/** Returns the picture that an info.json says was downloaded, or that yt-dlp has printed; null without one. */
export function announcedPicture(json: unknown): AnnouncedPicture | null {
  const chosen = Chosen.safeParse(json).data;
  if (!chosen) return null;
  const part = chosen.requested_formats?.find((one) => one !== null && hasPicture(one));
  return pictureOf(part ?? chosen);
}

/** Returns the pictures that an info.json lists. */
export const listedPictures = (json: unknown): AnnouncedPicture[] =>
  Info.safeParse(json).data?.formats.flatMap((one) => pictureOf(Format.parse(one)) ?? []) ?? [];

function sizeOf(chosen: z.infer<typeof Chosen>): number | null {
  const parts = chosen.requested_formats?.filter((one) => one !== null) ?? [chosen];
  const sizes = parts.map(({ filesize, filesize_approx }) => filesize ?? filesize_approx ?? null);
  return sizes.includes(null) ? null : Math.round(sizes.reduce<number>((sum, one) => sum + one!, 0));
}

/** What a download would fetch. */
export interface ChosenFormat {
  picture: AnnouncedPicture;
  /** About; null if unknown. */
  sizeBytes: number | null;
}

interface Lookup {
  /** Of the video. It is not asked for. */
  url: string;
  /** An info.json of the site that lists formats. */
  json: unknown;
  /** For a temporary file. */
  folder: string;
  settings: Settings['downloads'];
  choice: Choice;
  signal: AbortSignal;
}

/**
 * Lets yt-dlp choose from the formats of an info.json as a download with these settings would, without a request. Pictures that a program
 * of the site has enlarged are not among them. Returns null if it would choose none, or no picture.
 * @throws ProcessError
 */
export async function chooseFormat(
  ytdlp: Ytdlp,
  { url, json, folder, settings, choice, signal }: Lookup,
): Promise<ChosenFormat | null> {
  const { formats: all, ...info } = Info.parse(json);
  // Without the address of the page yt-dlp cannot ask the site, and without private fields it tests no format.
  const own = all.map((one) => Object.fromEntries(Object.entries(one).filter(([key]) => !key.startsWith('_'))));
  const originals = own.filter(({ format_id: id }) => !String(id).endsWith('-sr'));
  const path = join(folder, 'choice.json');
  await writeFile(path, JSON.stringify({ ...info, _type: 'video', formats: originals }));
  const { args, input, env } = callOptions(ytdlp, url, choiceOptions(settings, choice), path);
  const { stdout } = await run(ytdlp.program.command, args, { cwd: folder, signal, input, env, timeMs: 60_000 });
  const line = stdout.split('\n').find((one) => one.startsWith('{'));
  if (!line) return null;
  const chosen = Chosen.parse(readJson(line));
  const picture = announcedPicture(chosen);
  return picture && { picture, sizeBytes: sizeOf(chosen) };
}
