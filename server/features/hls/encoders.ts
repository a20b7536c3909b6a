import { randomUUID } from 'node:crypto';
import { access, constants, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hardwareHeight, softwareHeight } from '#contract/hls-heights.ts';
import { message, type Message } from '#contract/messages.ts';
import { partialRenditionsFolder } from '../../archive/storage/rendition-files.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { removeFolder } from '../../platform/files/files.ts';
import { encodeSegments, hardwareEncoders, type Encoder, type HardwareEncoder } from '../../platform/media/hls.ts';
import { ProcessError } from '../../platform/process/run.ts';

// Which encoders work is tried when it is needed, and remembered until the server ends or Health tries again.

export const software: Encoder = { kind: 'software' };
const names: Record<Encoder['kind'], string> = { software: 'libx264', vaapi: 'VAAPI', qsv: 'Quick Sync', nvenc: 'NVENC' };
export const encoderName = ({ kind }: Pick<Encoder, 'kind'>): string => names[kind];

/** How long hardware is not used after it failed, in seconds. */
const pauseSeconds = 3600;
const tryMs = 20_000;

/** What was tried. */
export interface Trial {
  kind: Encoder['kind'];
  /** Null if it does not work. */
  encoder: Encoder | null;
  /** Why it does not work. */
  why: Message | null;
}

interface VideoEncoders {
  /** The first hardware that works. */
  hardware: Promise<Encoder | null>;
  /** The result of `hardware`; null until then. */
  known: Encoder | null;
  /** Until then hardware is not used (epoch seconds), because it failed. */
  pausedUntil: number;
  whyPaused: string;
}

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    /** Null until a video is converted, or Health is opened. */
    videoEncoders: VideoEncoders | null;
  }
}

/** Returns the first line of an error of ffmpeg, without its addresses. */
const shortened = (problem: unknown): string => {
  const words = problem instanceof ProcessError ? problem.lastWords.trim() : '';
  const [line] = (words || (problem as Error).message).split('\n');
  return line!.replace(/^\[[^\]]*\] */, '').slice(0, 200);
};

const frameRate = { num: 25, den: 1 };
const size = { width: 640, height: 360 };
const format = { profile: '', bitDepth: 8, dynamicRange: 'sdr' } as const;

/** Encodes one second as for a viewer. Returns why that is not possible; null if it is. */
async function tryEncoder(app: AppContext, encoder: Encoder): Promise<Message | null> {
  const folder = join(partialRenditionsFolder(app), randomUUID());
  const options = {
    source: { generated: `testsrc2=size=${size.width}x${size.height}:rate=25:duration=1` },
    folder,
    content: { picture: { index: 0, codec: 'wrapped_avframe', frameRate, ...size, format }, height: size.height, encoder },
    grid: { durationSeconds: 1, frameRate },
    first: 0,
    end: 1,
  };
  await mkdir(folder, { recursive: true });
  try {
    const segments = encodeSegments(app.tools.ffmpeg!, options, AbortSignal.timeout(tryMs));
    for await (const _ of segments) return null;
    return message('health.encoder-incomplete');
  } catch (problem) {
    return message('text', { text: shortened(problem) });
  } finally {
    await removeFolder(folder);
  }
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

async function firstRenderDevice(): Promise<string | null> {
  const found = (await readdir('/dev/dri').catch(() => [])).filter((name) => /^renderD\d+$/.test(name));
  return found.length > 0 ? `/dev/dri/${found.toSorted()[0]}` : null;
}

/** Returns the device of an encoder, or why there is none. NVENC finds its own. */
async function deviceFor({ config }: AppContext, kind: HardwareEncoder): Promise<string | Message> {
  if (kind === 'nvenc') {
    const isPossible = config.hwaccel === 'nvenc' || (await exists('/dev/nvidiactl')) || (await exists('/dev/dxg'));
    return isPossible ? '' : message('health.encoder-no-device', { device: '/dev/nvidiactl' });
  }
  const device = config.renderDevice ?? (await firstRenderDevice());
  if (device === null || !(await exists(device)))
    return message('health.encoder-no-device', { device: device ?? '/dev/dri/renderD128' });
  return access(device, constants.R_OK | constants.W_OK).then(
    () => device,
    () => message('health.encoder-permission', { device }),
  );
}

async function tryHardware(app: AppContext, kind: HardwareEncoder): Promise<Trial> {
  const device = await deviceFor(app, kind);
  if (typeof device !== 'string') return { kind, encoder: null, why: device };
  const encoder = { kind, device };
  const why = await tryEncoder(app, encoder);
  return { kind, encoder: why === null ? encoder : null, why };
}

const allowed = ({ config: { hwaccel } }: AppContext): readonly HardwareEncoder[] =>
  hwaccel === 'off' ? [] : hwaccel === 'auto' ? hardwareEncoders : [hwaccel];

function remember(app: AppContext, hardware: Promise<Encoder | null>): VideoEncoders {
  const { pausedUntil = 0, whyPaused = '' } = app.state.videoEncoders ?? {};
  const found: VideoEncoders = { hardware, known: null, pausedUntil, whyPaused };
  hardware.then(
    (encoder) => (found.known = encoder),
    () => undefined,
  );
  return (app.state.videoEncoders = found);
}

async function findHardware(app: AppContext): Promise<Encoder | null> {
  for (const kind of allowed(app)) {
    const { encoder } = await tryHardware(app, kind);
    if (encoder) return encoder;
  }
  return null;
}

const isPaused = (app: AppContext) => (app.state.videoEncoders?.pausedUntil ?? 0) > app.now();

/** Returns what encodes now: hardware that works, else software. Tries the hardware if that was not done before. */
export async function chooseEncoder(app: AppContext): Promise<Encoder> {
  const { hardware } = app.state.videoEncoders ?? remember(app, findHardware(app));
  return ((await hardware) && !isPaused(app) && app.state.videoEncoders?.known) || software;
}

/** Whether hardware is known to work, and is used. */
export const usesHardware = (app: AppContext): boolean => Boolean(app.state.videoEncoders?.known) && !isPaused(app);

/** Returns the height up to which pictures are encoded in time, as far as it is known. */
export const knownMaxHeight = (app: AppContext): number => (usesHardware(app) ? hardwareHeight : softwareHeight);

/** Returns the height up to which pictures are encoded in time. */
export async function maxHeight(app: AppContext): Promise<number> {
  await chooseEncoder(app);
  return knownMaxHeight(app);
}

/** Uses software for an hour, because hardware failed where software did not. */
export function pauseHardware(app: AppContext, problem: unknown): void {
  const { videoEncoders } = app.state;
  if (!videoEncoders || isPaused(app)) return;
  videoEncoders.pausedUntil = app.now() + pauseSeconds;
  videoEncoders.whyPaused = shortened(problem);
  app.log.warn({ err: problem }, 'hardware cannot convert videos and is not used for an hour');
}

/** Tries all encoders that the configuration allows, software last, and uses the first that works. */
export async function tryEncoders(app: AppContext): Promise<Trial[]> {
  const trials: Trial[] = [];
  for (const kind of allowed(app)) trials.push(await tryHardware(app, kind));
  remember(app, Promise.resolve(trials.find(({ encoder }) => encoder)?.encoder ?? null));
  const why = await tryEncoder(app, software);
  return [...trials, { kind: 'software', encoder: why === null ? software : null, why }];
}
