import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { MeaningModel } from '#contract/meaning-models.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/db.ts';
import { passagesPerTrack } from './cut-passages.ts';
import { codeWordsOf, models, vectorOf, writeCode } from './model.ts';

// Files derived from the table of passages, for each server. `<model>.codes`: a header, then a block per track: its number, its count
// of passages, and their codes, a bit for each number. Words have 32 bits in the order of the processor. `<model>.sample`: the vectors of some
// passages, each after the number of its track.

const headerBytes = 256;
const blockHeadBytes = 8;
const bufferBytes = 1 << 20;
const rowsAtOnce = 1000;
const tracksAtOnce = 5000;
/** Passages that show how similar unrelated texts are. */
const sampleSize = 1000;

interface CodesHeader {
  version: 1;
  tracks: number;
  passages: number;
  lastTrack: number;
  /** Video of that track. After a restore, numbers are used again for others. */
  lastVideo: string;
  /** Length of the valid content. What follows was being written when the server ended. */
  bytes: number;
}

const empty: CodesHeader = { version: 1, tracks: 0, passages: 0, lastTrack: 0, lastVideo: '', bytes: headerBytes };

/** The files of a model in a folder. */
export interface CodeFiles {
  folder: string;
  model: MeaningModel;
}

const sampleBytesOf = (model: MeaningModel) => 4 + models[model].dimensions;

/** Several servers share the cache, and each has its own files. */
export const codesFolder = ({ cacheFolder, node }: Pick<Config, 'cacheFolder' | 'node'>) =>
  join(cacheFolder, 'meaning', ...(node === undefined ? [] : [encodeURIComponent(node)]));
const codesPath = ({ folder, model }: CodeFiles) => join(folder, `${model}.codes`);
const samplePath = ({ folder, model }: CodeFiles) => join(folder, `${model}.sample`);

async function openOrNull(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function readHeaderOf(file: FileHandle): Promise<CodesHeader | null> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
  if (bytesRead < headerBytes) return null;
  try {
    const header = JSON.parse(buffer.toString('utf8')) as CodesHeader;
    const isWhole = (await file.stat()).size >= header.bytes;
    return header.version === 1 && isWhole ? header : null;
  } catch {
    return null;
  }
}

/** Returns the header of the file; null without a usable one. */
export async function readHeader(files: CodeFiles): Promise<CodesHeader | null> {
  const file = await openOrNull(codesPath(files));
  if (!file) return null;
  try {
    return await readHeaderOf(file);
  } finally {
    await file.close();
  }
}

const writeHeader = (file: FileHandle, header: CodesHeader) =>
  file.write(Buffer.from(JSON.stringify(header).padEnd(headerBytes)), 0, headerBytes, 0);

/** Called for each track; whether its codes are wanted. */
type Wants = (track: number) => boolean;
/** Codes of consecutive passages of a track; `first` is the place of the first of them in the track. */
type OnCodes = (track: number, first: number, words: Uint32Array, at: number, count: number, ofTrack: number) => void;

/** Reads the codes of the wanted tracks in order, in pieces of at most a megabyte; `onPiece` is called after each. */
async function readCodes(
  file: FileHandle,
  { bytes, codeBytes }: { bytes: number; codeBytes: number },
  wants: Wants,
  onCodes: OnCodes,
  onPiece?: () => Promise<void>,
): Promise<void> {
  const buffer = new Uint8Array(bufferBytes);
  const words = new Uint32Array(buffer.buffer);
  let position = headerBytes;
  let [track, count, place] = [0, 0, 0];
  while (position < bytes) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(bufferBytes, bytes - position), position);
    let at = 0;
    for (;;) {
      if (place === count) {
        if (at + blockHeadBytes > bytesRead) break;
        track = words[at / 4]!;
        count = words[at / 4 + 1]!;
        place = 0;
        at += blockHeadBytes;
        if (!wants(track)) {
          place = count;
          at += count * codeBytes;
        }
        continue;
      }
      const here = Math.min(count - place, Math.floor((bytesRead - at) / codeBytes));
      if (here <= 0) break;
      onCodes(track, place, words, at / 4, here, count);
      place += here;
      at += here * codeBytes;
    }
    // A part of a block is read again; unwanted codes beyond the buffer are skipped.
    if (at === 0) throw new Error('The file of codes is damaged.');
    position += at;
    await onPiece?.();
  }
}

/** Collects codes and writes them in large pieces. */
function createWriter(file: FileHandle, from: number) {
  const buffer = new Uint8Array(bufferBytes);
  let [used, position] = [0, from];
  const flush = async () => {
    if (used > 0) await file.write(buffer, 0, used, position);
    position += used;
    used = 0;
  };
  return {
    async write(bytes: Uint8Array) {
      for (let at = 0; at < bytes.length;) {
        if (used === bufferBytes) await flush();
        const some = Math.min(bytes.length - at, bufferBytes - used);
        buffer.set(bytes.subarray(at, at + some), used);
        used += some;
        at += some;
      }
    },
    flush,
    position: () => position + used,
  };
}
type Writer = ReturnType<typeof createWriter>;

const blockHead = (track: number, count: number) => new Uint8Array(new Uint32Array([track, count]).buffer);

/** Repeatable random numbers below `limit`, so that every server has the same sample. */
const scrambled = (seed: number, limit: number) => Math.floor(((Math.imul(seed, 0x9e3779b1) >>> 0) / 2 ** 32) * limit);

/** Reservoir of vectors. */
class Sample {
  readonly vectors: { track: number; vector: Int8Array }[] = [];
  add(track: number, vector: Int8Array, seen: number) {
    const slot = this.vectors.length < sampleSize ? this.vectors.length : scrambled(seen, seen + 1);
    if (slot < sampleSize) this.vectors[slot] = { track, vector: vector.slice() };
  }
}

async function readSample(files: CodeFiles): Promise<Sample> {
  const sample = new Sample();
  const file = await openOrNull(samplePath(files));
  if (!file) return sample;
  try {
    const buffer = await file.readFile();
    const sampleBytes = sampleBytesOf(files.model);
    for (let at = 0; at + sampleBytes <= buffer.length; at += sampleBytes)
      sample.vectors.push({ track: buffer.readUInt32LE(at), vector: new Int8Array(buffer.subarray(at + 4, at + sampleBytes)) });
  } finally {
    await file.close();
  }
  return sample;
}

export const readSampleVectors = async (files: CodeFiles): Promise<Int8Array[]> =>
  (await readSample(files)).vectors.map(({ vector }) => vector);

async function writeWhole(path: string, write: (file: FileHandle) => Promise<void>) {
  const next = `${path}.next`;
  const file = await open(next, 'w+');
  try {
    await write(file);
  } finally {
    await file.close();
  }
  await rename(next, path);
}

const writeSample = (files: CodeFiles, { vectors }: Sample) =>
  writeWhole(samplePath(files), async (file) => {
    const sampleBytes = sampleBytesOf(files.model);
    const buffer = Buffer.alloc(vectors.length * sampleBytes);
    for (const [place, { track, vector }] of vectors.entries()) {
      buffer.writeUInt32LE(track, place * sampleBytes);
      buffer.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.length), place * sampleBytes + 4);
    }
    await file.write(buffer);
  });

/** Appends the codes of tracks after the last one of the header. Returns the new header. */
async function append(
  db: Db,
  file: FileHandle,
  { model, header, sample }: { model: MeaningModel; header: CodesHeader; sample: Sample },
): Promise<CodesHeader> {
  const codeWords = codeWordsOf(model);
  const writer = createWriter(file, header.bytes);
  let { tracks, passages, lastTrack, lastVideo } = header;
  let after = (lastTrack + 1) * passagesPerTrack - 1;
  let some: Int8Array[] = [];
  let track = 0;
  let video = '';
  const endTrack = async () => {
    if (some.length === 0) return;
    const codes = new Uint32Array(some.length * codeWords);
    for (const [place, vector] of some.entries()) writeCode(vector, codes, place * codeWords);
    await writer.write(blockHead(track, some.length));
    await writer.write(new Uint8Array(codes.buffer));
    for (const vector of some) sample.add(track, vector, passages++);
    tracks++;
    lastTrack = track;
    lastVideo = video;
    some = [];
  };
  for (;;) {
    const rows = await db
      .selectFrom('passage')
      .select(['number', 'videoId', 'vector'])
      .where('number', '>', after)
      .where('model', '=', model)
      .orderBy('number')
      .limit(rowsAtOnce)
      .execute();
    for (const { number, videoId, vector } of rows) {
      const of = Math.floor(number / passagesPerTrack);
      if (of !== track) await endTrack();
      track = of;
      video = videoId;
      some.push(vectorOf(vector));
    }
    if (rows.length < rowsAtOnce) break;
    after = rows.at(-1)!.number;
  }
  await endTrack();
  await writer.flush();
  return { version: 1, tracks, passages, lastTrack, lastVideo, bytes: writer.position() };
}

/** Returns the numbers of the tracks of a model that exist. */
async function liveTracks(db: Db, model: MeaningModel): Promise<Set<number>> {
  const live = new Set<number>();
  for (let after = 0; ;) {
    const rows = await db
      .selectFrom('passageTrack')
      .select('number')
      .where('number', '>', after)
      .where('model', '=', model)
      .where('passages', '>', 0)
      .orderBy('number')
      .limit(tracksAtOnce)
      .execute();
    for (const { number } of rows) live.add(number);
    if (rows.length < tracksAtOnce) return live;
    after = rows.at(-1)!.number;
  }
}

/** Copies the codes of tracks that still exist. */
async function copyLive(
  from: FileHandle,
  { header, codeWords, live }: { header: CodesHeader; codeWords: number; live: ReadonlySet<number> },
  writer: Writer,
) {
  const copied = { ...empty, lastTrack: header.lastTrack, lastVideo: header.lastVideo };
  const pieces: Uint8Array[] = [];
  await readCodes(
    from,
    { bytes: header.bytes, codeBytes: codeWords * 4 },
    (track) => live.has(track),
    (track, first, words, at, count, ofTrack) => {
      if (first === 0) {
        pieces.push(blockHead(track, ofTrack));
        copied.tracks++;
        copied.passages += ofTrack;
      }
      pieces.push(new Uint8Array(words.slice(at, at + count * codeWords).buffer));
    },
    async () => {
      for (const piece of pieces.splice(0)) await writer.write(piece);
    },
  );
  return copied;
}

/** Rewrites the file without deleted tracks, next to the current one, and appends new ones. */
async function rewrite(db: Db, files: CodeFiles, header: CodesHeader | null, sample: Sample): Promise<void> {
  const { model } = files;
  const live = await liveTracks(db, model);
  const from = header && (await openOrNull(codesPath(files)));
  try {
    await writeWhole(codesPath(files), async (file) => {
      const writer = createWriter(file, headerBytes);
      const copied = from && header ? await copyLive(from, { header, codeWords: codeWordsOf(model), live }, writer) : empty;
      await writer.flush();
      const kept = { ...copied, bytes: writer.position() };
      const remaining = sample.vectors.filter(({ track }) => live.has(track));
      sample.vectors.splice(0, sample.vectors.length, ...(from ? remaining : []));
      await writeHeader(file, await append(db, file, { model, header: kept, sample }));
    });
  } finally {
    await from?.close();
  }
}

/** Whether the file has the passages of the table; `foreign`: none of it can be used. */
async function compare(db: Db, model: MeaningModel, header: CodesHeader): Promise<'same' | 'more' | 'other' | 'foreign'> {
  if (header.lastTrack > 0) {
    const last = await db
      .selectFrom('passageTrack')
      .select('videoId')
      .where('number', '=', header.lastTrack)
      .where('model', '=', model)
      .executeTakeFirst();
    if (last?.videoId !== header.lastVideo) return 'foreign';
  }
  const { known, all } = await db
    .selectFrom('passageTrack')
    .select((e) => [
      e.fn.countAll<number>().as('all'),
      e.fn.count<number>(e.case().when('number', '<=', header.lastTrack).then('number').end()).as('known'),
    ])
    .where('model', '=', model)
    .where('passages', '>', 0)
    .executeTakeFirstOrThrow();
  if (Number(known) !== header.tracks) return 'other';
  return Number(all) === Number(known) ? 'same' : 'more';
}

/** Updates the files of a model from the table. */
export async function syncCodes(db: Db, files: CodeFiles): Promise<void> {
  const { folder, model } = files;
  await mkdir(folder, { recursive: true });
  const header = await readHeader(files);
  const state = header ? await compare(db, model, header) : 'foreign';
  if (state === 'same') return;
  const sample = state === 'foreign' ? new Sample() : await readSample(files);
  if (state === 'more') {
    const file = await open(codesPath(files), 'r+');
    try {
      const next = await append(db, file, { model, header: header!, sample });
      await file.datasync();
      await writeHeader(file, next);
    } finally {
      await file.close();
    }
  } else await rewrite(db, files, state === 'foreign' ? null : header, sample);
  await writeSample(files, sample);
}

/** Deletes the files of a model. */
export async function deleteCodes(files: CodeFiles): Promise<void> {
  for (const path of [codesPath(files), samplePath(files)]) await rm(path, { force: true });
}

/** Returns the number of set bits of 32. */
function bitCount(bits: number): number {
  let x = bits - ((bits >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Bits of the longest code. */
const maxDistance = Math.max(...Object.values(models).map(({ dimensions }) => dimensions));

/** Keeps the items with the smallest distances. */
export class Nearest {
  private readonly wanted: number;
  private readonly numbers: Float64Array;
  private readonly distances: Uint16Array;
  private used = 0;
  /** Larger distances are not among the nearest. */
  limit = maxDistance;
  constructor(wanted: number) {
    this.wanted = wanted;
    this.numbers = new Float64Array(wanted * 4);
    this.distances = new Uint16Array(wanted * 4);
  }
  add(number: number, distance: number) {
    if (this.used === this.numbers.length) this.prune();
    if (distance > this.limit) return;
    this.numbers[this.used] = number;
    this.distances[this.used++] = distance;
  }
  /** Keeps the nearest, and of those with the largest distance the first. */
  private prune() {
    const counts = new Uint32Array(maxDistance + 1);
    for (let place = 0; place < this.used; place++) counts[this.distances[place]!]!++;
    let [limit, below] = [0, 0];
    while (below + counts[limit]! < this.wanted && limit < maxDistance) below += counts[limit++]!;
    let spare = this.wanted - below;
    let kept = 0;
    for (let place = 0; place < this.used; place++) {
      const distance = this.distances[place]!;
      if (distance > limit || (distance === limit && spare-- <= 0)) continue;
      this.numbers[kept] = this.numbers[place]!;
      this.distances[kept++] = distance;
    }
    this.used = kept;
    this.limit = limit;
  }
  list(): number[] {
    if (this.used > this.wanted) this.prune();
    return [...this.numbers.subarray(0, this.used)];
  }
}

/** Compares consecutive codes, that of the item `first` at the word `at`, with a code. */
export function compareCodes(
  nearest: Nearest,
  code: Uint32Array,
  { words, at, count, first }: { words: Uint32Array; at: number; count: number; first: number },
): void {
  let from = at;
  const codeWords = code.length;
  for (let place = 0; place < count; place++) {
    let distance = 0;
    for (let word = 0; word < codeWords; word++) distance += bitCount(words[from + word]! ^ code[word]!);
    from += codeWords;
    if (distance <= nearest.limit) nearest.add(first + place, distance);
  }
}

/**
 * Returns the numbers of the `wanted` passages whose codes differ in the fewest bits. `tracks`: only these.
 */
export async function nearestCodes(
  files: CodeFiles,
  code: Uint32Array,
  { tracks, wanted }: { tracks: ReadonlySet<number> | null; wanted: number },
): Promise<number[]> {
  const file = await openOrNull(codesPath(files));
  if (!file) return [];
  const nearest = new Nearest(wanted);
  const onCodes: OnCodes = (track, place, words, at, count) =>
    compareCodes(nearest, code, { words, at, count, first: track * passagesPerTrack + place });
  try {
    const header = await readHeaderOf(file);
    if (header)
      await readCodes(
        file,
        { bytes: header.bytes, codeBytes: code.length * 4 },
        (track) => tracks === null || tracks.has(track),
        onCodes,
      );
  } finally {
    await file.close();
  }
  return nearest.list();
}
