import { readlink, realpath, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { message, type Message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { TaskWork } from '../../platform/context/task.ts';
import { toolsFolderOf } from '../../platform/context/tools.ts';
import { exists } from '../../platform/files/files.ts';
import { freeBytes, isDiskFull } from '../../platform/files/free-space.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { findProgram } from '../../platform/process/find-program.ts';
import { ProcessError, run } from '../../platform/process/run.ts';
import {
  currentVersion,
  discard,
  fillFolder,
  folderFor,
  managedLink,
  previousVersion,
  promote,
  rollBackInstall,
  type Managed,
} from '../../platform/ytdlp/managed-install.ts';
import { installPinned, type PinnedPackage } from '../../platform/ytdlp/pip.ts';

// Sets of Python packages that run models: installed with pinned versions and checksums next to the current set, tried, and switched
// to with a link.

/** The program that runs models: a Python interpreter, and the folder of the packages unless it has them itself. */
export interface Engine {
  python: string;
  packages: string | null;
}

/** A set of packages. */
interface EngineKind {
  managed: Managed;
  /** The first one names the version of the set. */
  packages: [PinnedPackage, ...PinnedPackage[]];
  /** Python statements that must succeed. */
  trial: string;
  /** Disk space of the download and the unpacked packages. */
  neededBytes: number;
  missing: Message;
  installing(version: string): Message;
  trying: Message;
  installed(version: string): Message;
  failed(reason: string): Message;
}

/** Next to the packages of a version: the interpreter for which they were installed. */
const pythonLink = 'python';

const newestVersion = ({ packages }: EngineKind) => packages[0].version;

/** Returns the engine; null if none is installed. */
async function find(app: AppContext, { managed }: EngineKind): Promise<Engine | null> {
  const { modelsPython } = app.config;
  if (modelsPython) {
    const python = await findProgram(modelsPython);
    return python ? { python, packages: null } : null;
  }
  const packages = managedLink(toolsFolderOf(app), managed);
  if (!(await exists(packages))) return null;
  const python = await readlink(join(dirname(await realpath(packages)), pythonLink)).catch(() => null);
  // The interpreter of the machine may have been replaced by a newer one, for which these packages do not fit.
  return python && (await exists(python)) ? { python, packages } : null;
}

/** Returns the versions of an engine for its settings. */
async function versions(app: AppContext, kind: EngineKind) {
  const tools = toolsFolderOf(app);
  const newest = newestVersion(kind);
  const isConfigured = app.config.modelsPython !== undefined;
  const version = (await find(app, kind)) ? ((await currentVersion(tools, kind.managed)) ?? newest) : null;
  return {
    version,
    previous: isConfigured ? null : await previousVersion(tools, kind.managed),
    is_configured: isConfigured,
    has_update: !isConfigured && version !== null && version !== newest,
  };
}

const inMegabytes = (bytes: number) => Math.round(bytes / 1e6);

const lacksSpace = (needed: number, free: number) =>
  message('speech.no-space', { needed: inMegabytes(needed), free: inMegabytes(free) });

/** Returns why nothing of this size can be stored in a folder, or null. */
export async function whyNoSpace(folder: string, bytes: number): Promise<Message | null> {
  const free = await freeBytes(folder);
  return free < bytes ? lacksSpace(bytes, free) : null;
}

/** Returns the message for a failed installation with pip. */
export async function whyNotInstalled(
  error: unknown,
  folder: string,
  { neededBytes, failed }: Pick<EngineKind, 'neededBytes' | 'failed'>,
): Promise<Message> {
  const words = error instanceof ProcessError ? error.lastWords : String(error);
  if (/No module named pip|there is no python3/.test(words)) return message('speech.no-pip');
  if (/DO NOT MATCH THE HASHES/.test(words)) return message('speech.checksum');
  if (/No matching distribution|Could not find a version/.test(words)) return message('speech.no-package');
  if (isDiskFull(error) || /No space left|ENOSPC|quota exceeded/i.test(words))
    return lacksSpace(neededBytes, await freeBytes(folder));
  // The address of a package index may contain a password.
  return failed((error as Error).message.replace(/\/\/[^\s/@]*@/g, '//').replace(/\.?$/, '.'));
}

const tryEngine = ({ trial }: EngineKind, { python, packages }: Engine, signal: AbortSignal) =>
  run(python, ['-c', trial], {
    cwd: '/',
    signal,
    timeMs: 120_000,
    env: { ...(packages && { PYTHONPATH: packages }) },
  });

/** Installs the engine of this version of Reelkeep next to the current one, tries it, and switches to it. */
async function install(
  { signal, report }: Pick<TaskWork<unknown>, 'signal' | 'report'>,
  app: AppContext,
  kind: EngineKind,
): Promise<Message> {
  const { managed, neededBytes } = kind;
  const tools = toolsFolderOf(app);
  const version = newestVersion(kind);
  const folder = folderFor(tools, version, managed);
  const packages = join(folder, managed.link);
  report({ messages: [kind.installing(version)] });
  try {
    await fillFolder(folder, async () => {
      const lacks = await whyNoSpace(folder, neededBytes);
      if (lacks) throw new MessageError(lacks);
      const python = await installPinned(kind.packages, packages, signal, 60);
      await symlink(python, join(folder, pythonLink));
      report({ messages: [kind.trying] });
      await tryEngine(kind, { python, packages }, signal);
    });
    await promote(tools, packages, managed);
  } catch (error) {
    await discard(packages);
    signal.throwIfAborted();
    if (error instanceof MessageError) throw error;
    throw new MessageError(await whyNotInstalled(error, dirname(dirname(folder)), kind), { cause: error });
  }
  app.announce('settings');
  return kind.installed(version);
}

/** Switches back to the engine before. Returns false if there is none. */
async function rollBack(app: AppContext, { managed }: EngineKind): Promise<boolean> {
  const isBack = await rollBackInstall(toolsFolderOf(app), managed);
  if (isBack) app.announce('settings');
  return isBack;
}

/** Returns the functions of a set of packages. */
export const definePythonEngine = (kind: EngineKind) => ({
  failed: kind.failed,
  find: (app: AppContext) => find(app, kind),
  versions: (app: AppContext) => versions(app, kind),
  install: (work: Pick<TaskWork<unknown>, 'signal' | 'report'>, app: AppContext) => install(work, app, kind),
  rollBack: (app: AppContext) => rollBack(app, kind),
  /** Returns the message for a missing engine. Each of several servers would install its own, without the others knowing. */
  whyMissing: ({ config }: AppContext): Message => (config.node === undefined ? kind.missing : message('speech.several-servers')),
});
