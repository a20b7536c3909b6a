import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { message, type Message } from '#contract/messages.ts';
import { partialRenditionsFolder, renditionPrefixOf } from '../../archive/storage/rendition-files.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { removeFolder } from '../../platform/files/files.ts';
import { HttpError } from '../../platform/http/http-error.ts';
import { encodedBitrate } from '../../platform/media/audio-packing.ts';
import { encodeSegments, maxBitrateOf, type Encoder } from '../../platform/media/hls.ts';
import { segmentCountOf, segmentSeconds } from '../../platform/media/hls-grid.ts';
import { ProcessError } from '../../platform/process/run.ts';
import { makeRoom, publishRendition, whyFailed } from '../rendition/write-rendition.ts';
import { chooseEncoder, pauseHardware, software, usesHardware } from './encoders.ts';
import { cachedPartName, type Layer, type Part } from './names.ts';
import { gridOf, type HlsStream } from './stream-of-video.ts';

/** Segments that one run of ffmpeg encodes at most: from the requested one to the end of its minute. */
const chunkSegments = 10;
/** With this many segments left in a chunk, the next chunk is begun: 30 seconds. */
const segmentsAhead = 5;
/** After a seek further ahead than this, the segments before it are not encoded. */
const mostSkipped = 2;
const maxQueued = 3;
/** Runs at the same time with hardware; with software one uses all cores. */
const hardwareRuns = 3;
/** A player that seeks cancels its former request on another connection, which can arrive later. */
const cancelMs = 1000;

/** Runs of ffmpeg, of pictures or of sounds, for all viewers. */
interface Job {
  /** The video, its file and the layer. */
  key: string;
  stream: HlsStream;
  layer: Layer;
  /** Segments from `next`, which is being encoded, up to `end`, which is not included. */
  next: number;
  end: number;
  /** Only the headers. */
  isProbe: boolean;
  hasInit: boolean;
  /** Viewers who have requested a part. */
  accounts: Set<number>;
  waiting: Map<Part, PromiseWithResolvers<void>>;
  /** Open requests. */
  viewers: number;
  ending: AbortController;
  /** It does not wait in the queue. */
  isRunning: boolean;
  /** It has failed or encoded everything. */
  isOver: boolean;
}

export interface Wanted {
  stream: HlsStream;
  layer: Layer;
  part: Part;
  accountId: number;
}

export interface HlsSessions {
  /**
   * Resolves when a part that is not in the cache was encoded.
   * @throws HttpError 503 if too many wait or it cannot be encoded now, 422 if the file cannot be read there
   */
  encode(wanted: Wanted, signal: AbortSignal): Promise<void>;
  /** Begins the next chunk if the viewer is near the end of this one, and there is a free run. */
  prepareNext(wanted: Wanted & { part: number }): Promise<void>;
  end(): void;
}

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    /** Null until a video is converted for the first time. */
    hlsSessions: HlsSessions | null;
  }
}

const chunkEnd = (segment: number, stream: HlsStream, layer: Layer) =>
  Math.min(segmentCountOf(gridOf(stream, layer)), (Math.floor(segment / chunkSegments) + 1) * chunkSegments);

const unavailable = (why: Message | Message[], retryAfterSeconds = 5) => new HttpError(503, why, { retryAfterSeconds });
const unreadable = () => new HttpError(422, message('hls.unreadable'));

/** Returns the failure of a run as a response. */
function failureOf(problem: unknown): unknown {
  if (problem instanceof HttpError) return problem;
  if (!(problem instanceof ProcessError))
    return unavailable(whyFailed(problem, { program: message('hls.failed'), other: message('hls.failed') }));
  if (problem.reason === 'time' || problem.reason === 'silent') return unavailable(message('hls.too-slow'), 60);
  if (problem.reason === 'missing') return unavailable(message('hls.no-ffmpeg'), 60);
  const what = /Unknown encoder '[\w-]+'|No such filter: '[\w-]+'/.exec(problem.lastWords)?.[0];
  return what ? unavailable(message('hls.ffmpeg-lacks', { what }), 3600) : unreadable();
}

/** Returns the runs for one kind of layers. */
function createQueue(app: AppContext): HlsSessions {
  /** In the order in which they were requested. */
  const jobs: Job[] = [];
  const maxRuns = () => (usesHardware(app) ? hardwareRuns : 1);

  const pathOf = ({ stream: { id, stamp }, layer }: Pick<Job, 'stream' | 'layer'>, part: Part) =>
    `${renditionPrefixOf(id)!}${cachedPartName(stamp, layer, part)}`;

  async function isCached(job: Pick<Job, 'stream' | 'layer'>, part: Part) {
    return (await app.files.stat(pathOf(job, part))) !== null;
  }

  /** Encodes the segments of a job, and publishes each at once. */
  async function encodeJob(job: Job, folder: string): Promise<void> {
    const { stream, layer, ending } = job;
    const { signal } = ending;
    const { kind, which } = layer;
    const bitrate = kind === 'video' ? maxBitrateOf(which) : encodedBitrate;
    await makeRoom(app, (bitrate / 8) * segmentSeconds * (job.end - job.next), (lacks) => message('hls.no-space', lacks));
    const source = await app.files.localPath(stream.mediaPath, signal);
    await mkdir(folder, { recursive: true });
    const publish = async (part: Part, content: Buffer) => {
      const name = cachedPartName(stream.stamp, layer, part);
      const target = join(folder, name);
      await writeFile(target, content);
      await publishRendition(app, { video: stream, name, target }, signal);
      job.waiting.get(part)?.resolve();
    };
    const grid = gridOf(stream, layer);
    const encodeWith = async (encoder: Encoder, onSegment?: () => void) => {
      const content = kind === 'video' ? { picture: stream.picture, height: which, encoder } : { track: which };
      const options = { source, folder, grid, content, first: job.next, end: job.end, isProbe: job.isProbe };
      for await (const { segment, init, media } of encodeSegments(app.tools.ffmpeg!, options, signal)) {
        if (!job.hasInit && !(await isCached(job, 'init'))) await publish('init', init);
        job.hasInit = true;
        job.waiting.get('init')?.resolve();
        onSegment?.();
        if (job.isProbe) return;
        await publish(segment, media);
        job.next = segment + 1;
      }
      if (job.next < job.end) throw unreadable();
    };
    const encoder = kind === 'video' ? await chooseEncoder(app) : software;
    try {
      await encodeWith(encoder);
    } catch (problem) {
      const isOfFile = problem instanceof HttpError || problem instanceof ProcessError;
      if (encoder.kind === 'software' || signal.aborted || !isOfFile) throw problem;
      // A file that software cannot read either is no failure of the hardware.
      await encodeWith(software, () => pauseHardware(app, problem));
    }
  }

  async function run(job: Job): Promise<void> {
    const folder = join(partialRenditionsFolder(app), randomUUID());
    try {
      await encodeJob(job, folder);
      job.isOver = true;
      for (const part of job.waiting.values()) part.reject(unreadable());
    } catch (problem) {
      job.isOver = true;
      if (!job.ending.signal.aborted) app.log.warn({ video: job.stream.id, err: problem }, 'cannot convert a video for a player');
      for (const part of job.waiting.values()) part.reject(failureOf(problem));
    } finally {
      await removeFolder(folder);
      jobs.splice(jobs.indexOf(job), 1);
      runNext();
    }
  }

  function runNext(): void {
    const free = maxRuns() - jobs.filter(({ isRunning }) => isRunning).length;
    for (const job of jobs.filter(({ isRunning }) => !isRunning).slice(0, Math.max(0, free))) {
      job.isRunning = true;
      void run(job);
    }
  }

  function add(job: Job): void {
    jobs.push(job);
    runNext();
  }

  /** Ends a job without viewers. */
  function drop(job: Job): void {
    job.ending.abort();
    if (!job.isRunning) jobs.splice(jobs.indexOf(job), 1);
  }

  const isOpen = (job: Job) => !job.isOver && !job.ending.signal.aborted;
  const covers = (job: Job, key: string, part: Part) =>
    job.key === key && isOpen(job) && (part === 'init' ? !job.hasInit : !job.isProbe && part >= job.next && part < job.end);
  /** Whether only this viewer uses a job, and no longer waits for it. */
  async function isLeftBy(job: Job, accountId: number): Promise<boolean> {
    if (job.accounts.size > 1 || !job.accounts.has(accountId)) return false;
    const until = performance.now() + cancelMs;
    while (job.viewers > 0 && performance.now() < until) await wait(50);
    return job.viewers === 0;
  }

  /** A viewer has one job: a seek or another quality ends the former one. */
  async function endFormerJobs({ accountId, part }: Wanted, key: string): Promise<void> {
    const isFormer = (job: Job) =>
      !covers(job, key, part) || (part !== 'init' && part - job.next > mostSkipped && job.accounts.size === 1);
    for (const job of jobs.filter((one) => one.accounts.has(accountId) && isOpen(one) && isFormer(one))) {
      if (await isLeftBy(job, accountId)) drop(job);
      else if (job.accounts.size > 1) job.accounts.delete(accountId);
      else if (!covers(job, key, part)) throw unavailable(message('hls.own-session'));
    }
  }

  /** Returns the end of the segments from `first` on that are missing in the cache, at most the end of their chunk. */
  async function missingUntil(stream: HlsStream, layer: Layer, first: number): Promise<number> {
    let end = first + 1;
    while (end < chunkEnd(first, stream, layer) && !(await isCached({ stream, layer }, end))) end++;
    return end;
  }

  async function createJob({ stream, layer, part, accountId }: Wanted, key: string): Promise<Job> {
    const isProbe = part === 'init';
    const next = isProbe ? 0 : part;
    const end = isProbe ? 1 : await missingUntil(stream, layer, next);
    return {
      key,
      stream,
      layer,
      next,
      end,
      isProbe,
      hasInit: false,
      accounts: new Set([accountId]),
      waiting: new Map(),
      viewers: 0,
      ending: new AbortController(),
      isRunning: false,
      isOver: false,
    };
  }

  /** Whether a run could begin for a viewer who has none. */
  const isFree = (accountId: number) => jobs.length < maxRuns() && !jobs.some(({ accounts }) => accounts.has(accountId));

  const keyOf = ({ stream: { id, stamp }, layer: { kind, which } }: Pick<Wanted, 'stream' | 'layer'>) =>
    `${id} ${stamp} ${kind} ${which}`;

  /** Waits for a part of a job; a job that waits in the queue ends with its last viewer. */
  async function waitFor(job: Job, { part, accountId }: Wanted, signal: AbortSignal): Promise<void> {
    let waiting = job.waiting.get(part);
    if (!waiting) {
      waiting = Promise.withResolvers();
      waiting.promise.catch(() => undefined); // every viewer may have gone
      job.waiting.set(part, waiting);
    }
    job.accounts.add(accountId);
    job.viewers++;
    const gone = Promise.withResolvers<never>();
    const onAbort = () => gone.reject(unavailable(message('hls.failed')));
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      if (signal.aborted) onAbort();
      await Promise.race([waiting.promise, gone.promise]);
    } finally {
      signal.removeEventListener('abort', onAbort);
      job.viewers--;
      if (job.viewers === 0 && !job.isRunning && jobs.includes(job)) drop(job);
    }
  }

  return {
    async encode(wanted, signal) {
      const key = keyOf(wanted);
      const { part } = wanted;
      const find = () => jobs.find((one) => covers(one, key, part));
      await endFormerJobs(wanted, key);
      let job = find();
      if (!job) {
        const created = await createJob(wanted, key);
        if (await isCached(wanted, part)) return;
        // Another request may have begun it meanwhile.
        job = find();
        if (!job) {
          if (jobs.filter(isOpen).length >= maxRuns() + maxQueued) throw unavailable(message('hls.busy'));
          add((job = created));
        }
      }
      await waitFor(job, wanted, signal);
    },

    async prepareNext({ stream, layer, part, accountId }) {
      const next = chunkEnd(part, stream, layer);
      if (next - part > segmentsAhead || next >= segmentCountOf(gridOf(stream, layer)) || !isFree(accountId)) return;
      if (await isCached({ stream, layer }, next)) return;
      const wanted = { stream, layer, part: next, accountId };
      const job = await createJob(wanted, keyOf(wanted));
      if (isFree(accountId)) add(job);
    },

    end() {
      for (const job of jobs) job.ending.abort();
    },
  };
}

export function createHlsSessions(app: AppContext): HlsSessions {
  const queues = { video: createQueue(app), sound: createQueue(app) };
  return {
    encode: (wanted, signal) => queues[wanted.layer.kind].encode(wanted, signal),
    prepareNext: (wanted) => queues[wanted.layer.kind].prepareNext(wanted),
    end() {
      for (const queue of Object.values(queues)) queue.end();
    },
  };
}
