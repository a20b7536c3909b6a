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
import { installPinned } from '../../platform/ytdlp/pip.ts';
import { enginePackages } from './packages.ts';

/** The program that runs speech models: a Python interpreter, and the folder of the packages unless it has them itself. */
export interface Engine {
  python: string;
  packages: string | null;
}

const managed: Managed = { link: 'speech', folder: 'speech-engine' };
/** Next to the packages of a version: the interpreter for which they were installed. */
const pythonLink = 'python';

const newestVersion = enginePackages[0].version;
// Measured for x86_64: 90 MB of wheels, 310 MB unpacked.
const neededBytes = 430_000_000;

/** Returns the engine; null if none is installed. */
export async function findEngine(app: AppContext): Promise<Engine | null> {
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

/** Returns the message for a missing engine. Each of several servers would install its own, without the others knowing. */
export const noEngine = ({ config }: AppContext): Message =>
  message(config.node === undefined ? 'speech.no-engine' : 'speech.several-servers');

/** Returns the versions of the engine for its settings. */
export async function engineVersions(app: AppContext) {
  const tools = toolsFolderOf(app);
  const isConfigured = app.config.modelsPython !== undefined;
  const version = (await findEngine(app)) ? ((await currentVersion(tools, managed)) ?? newestVersion) : null;
  return {
    version,
    previous: isConfigured ? null : await previousVersion(tools, managed),
    is_configured: isConfigured,
    has_update: !isConfigured && version !== null && version !== newestVersion,
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
export async function whyNotInstalled(error: unknown, folder: string, bytes: number): Promise<Message> {
  const words = error instanceof ProcessError ? error.lastWords : String(error);
  if (/No module named pip|there is no python3/.test(words)) return message('speech.no-pip');
  if (/DO NOT MATCH THE HASHES/.test(words)) return message('speech.checksum');
  if (/No matching distribution|Could not find a version/.test(words)) return message('speech.no-package');
  if (isDiskFull(error) || /No space left|ENOSPC|quota exceeded/i.test(words)) return lacksSpace(bytes, await freeBytes(folder));
  // The address of a package index may contain a password.
  const reason = (error as Error).message.replace(/\/\/[^\s/@]*@/g, '//').replace(/\.?$/, '.');
  return message('speech.not-installed', { reason });
}

/** Returns whether the packages can be imported. */
const starts = (python: string, packages: string, signal: AbortSignal) =>
  run(python, ['-c', 'import ctranslate2, numpy, onnxruntime, tokenizers'], {
    cwd: '/',
    signal,
    timeMs: 120_000,
    env: { PYTHONPATH: packages },
  });

/** Installs the engine of this version of Reelkeep next to the current one, tries it, and switches to it. */
export async function installEngine(
  { signal, report }: Pick<TaskWork<unknown>, 'signal' | 'report'>,
  app: AppContext,
): Promise<Message> {
  const tools = toolsFolderOf(app);
  const folder = folderFor(tools, newestVersion, managed);
  const packages = join(folder, managed.link);
  report({ messages: [message('speech.installing', { version: newestVersion })] });
  try {
    await fillFolder(folder, async () => {
      const lacks = await whyNoSpace(folder, neededBytes);
      if (lacks) throw new MessageError(lacks);
      const python = await installPinned(enginePackages, packages, signal, 60);
      await symlink(python, join(folder, pythonLink));
      report({ messages: [message('speech.trying')] });
      await starts(python, packages, signal);
    });
    await promote(tools, packages, managed);
  } catch (error) {
    await discard(packages);
    signal.throwIfAborted();
    if (error instanceof MessageError) throw error;
    throw new MessageError(await whyNotInstalled(error, dirname(dirname(folder)), neededBytes), { cause: error });
  }
  app.announce('settings');
  return message('speech.installed', { version: newestVersion });
}

/** Switches back to the engine before. Returns false if there is none. */
export async function rollBackEngine(app: AppContext): Promise<boolean> {
  const isBack = await rollBackInstall(toolsFolderOf(app), managed);
  if (isBack) app.announce('settings');
  return isBack;
}
