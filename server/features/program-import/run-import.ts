import { stat } from 'node:fs/promises';
import { message, type Message } from '#contract/messages.ts';
import { SourceProgram, type ProgramImportTake } from '#contract/program-import.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { Shutdown, type TaskWork } from '../../platform/context/task.ts';
import { MessageError, messagesOf } from '../../platform/messages/message-error.ts';
import { storeMessages } from '../../platform/messages/stored.ts';
import { unseal } from '../../platform/security/encryption.ts';
import { applyItems } from './apply/apply.ts';
import type { Applying, Counts } from './apply/context.ts';
import { prepareMedia } from './apply/media.ts';
import type { Item } from './item/item.ts';
import { programs } from './programs/programs.ts';
import { readItems } from './read-items.ts';
import { allowedFolders, checkPath, pathMapOf } from './source/safe-path.ts';
import {
  addLines,
  countAdded,
  deleteLines,
  ProgramImportInput,
  type findProgramImport,
  type Line,
  type StoredCounts,
} from './store.ts';
import { findUpload } from './uploads.ts';

type ProgramImportRow = NonNullable<Awaited<ReturnType<typeof findProgramImport>>>;

export const undoDays = 7;
const maxLines = 2000;
const linesAtOnce = 100;
const reportEvery = 100;

interface RunOptions {
  /** Folders that paths may lead to; the CLI allows others. */
  folders?: readonly string[];
}

/** Collects the lines of the report and writes them in batches. */
function createLog({ db }: AppContext, importId: string) {
  let [waiting, stored, problems]: [Line[], number, number] = [[], 0, 0];
  const add = (line: Line) => {
    if (stored < maxLines) waiting.push(line);
    else if (stored === maxLines)
      waiting.push({ kind: 'note', subject: '…', reason: storeMessages(message('migrate.line-limit')) });
    stored++;
  };
  return {
    report(kind: Line['kind'], subject: string, why: Message | Message[]) {
      if (kind === 'problem') problems++;
      add({ kind, subject: subject.slice(0, 500), reason: storeMessages(why) });
    },
    isFull: () => waiting.length >= linesAtOnce,
    async write() {
      const lines = waiting;
      waiting = [];
      await addLines(db, importId, lines);
    },
    problems: () => problems,
  };
}

/** What a dry run would add, per kind of data. */
function createKnown(): Applying['known'] {
  const sets = new Map<ProgramImportTake, Set<string>>();
  return {
    has: (take, id) => sets.get(take)?.has(id) ?? false,
    add: (take, id) => void sets.getOrInsertComputed(take, () => new Set()).add(id),
  };
}

interface FoundSource {
  /** The chosen folder; null if a file or a running program was chosen. */
  folder: string | null;
  items: AsyncGenerator<Item>;
}

/** Finds the data of an import. @throws MessageError if the path is not allowed */
async function findSource(
  app: AppContext,
  row: ProgramImportRow,
  { input, folders, signal }: { input: ProgramImportInput; folders: readonly string[]; signal: AbortSignal },
): Promise<FoundSource> {
  const { keys, tools } = app;
  const program = SourceProgram.parse(row.program);
  const { address } = input;
  const now = app.now();
  if (address !== null) {
    const source = { name: address, folder: null, files: [], close() {} };
    const live = { address, token: unseal(keys, `migrate.${row.id}`, row.sealed ?? ''), fetch: tools.proxy.fetch };
    return { folder: null, items: programs[program].read({ source, signal, now, live }) };
  }
  const path = input.upload === null ? await checkPath(folders, input.path ?? '') : await findUpload(app, input.upload);
  const isFolder = (await stat(path).catch(() => null))?.isDirectory() ?? false;
  return { folder: isFolder ? path : null, items: readItems({ program, path, now }, signal) };
}

/** Runs an import, or a dry run. Returns the result for the task. @throws if nothing can be read */
async function run(app: AppContext, row: ProgramImportRow, work: TaskWork<unknown>, { folders }: RunOptions): Promise<Message> {
  const { db, config } = app;
  const { signal, report } = work;
  const program = programs[SourceProgram.parse(row.program)];
  const input = ProgramImportInput.parse(JSON.parse(row.input));
  const isDry = row.isDryRun === 1;
  const takes = new Set(isDry ? program.takes : (input.take ?? program.standard));
  const counts: StoredCounts = Object.fromEntries(
    program.takes.flatMap((take) => (takes.has(take) ? [[take, { found: 0, added: 0, here: 0, left: 0 }]] : [])),
  );
  await deleteLines(db, row.id);
  const log = createLog(app, row.id);
  const save = async () => {
    await log.write();
    if (!isDry) {
      // After a restart, what the first attempt added is found again as already here.
      const added = await countAdded(db, row.id);
      for (const [take, count] of Object.entries(counts) as [ProgramImportTake, Counts][]) {
        count.added = added.get(take) ?? 0;
        count.here = Math.max(0, count.found - count.added - count.left);
      }
    }
    await db
      .updateTable('migration')
      .set({ counts: JSON.stringify(counts), problems: log.problems() })
      .where('id', '=', row.id)
      .execute();
  };
  const allowed = folders ?? allowedFolders(config);
  const source = await findSource(app, row, { input, folders: allowed, signal });
  const applying: Applying = {
    app,
    importId: row.id,
    isDry,
    takes,
    accountId: row.accountId,
    signal,
    count(take, some) {
      const count = counts[take];
      if (count) for (const [key, number] of Object.entries(some)) count[key as keyof Counts] += number;
    },
    report: log.report,
    known: createKnown(),
  };
  let items = 0;
  try {
    report({ messages: [message('migrate.reading', { source: row.source })] });
    const media = takes.has('videos')
      ? await prepareMedia(applying, { folders: allowed, map: pathMapOf(input.pathMap), dataFolder: source.folder })
      : null;
    const counted = async function* () {
      for await (const item of source.items) {
        if (item.what !== 'problem' && item.what !== 'note') items++;
        if (log.isFull()) await log.write();
        yield item;
      }
    };
    let done = 0;
    await applyItems(applying, counted(), {
      media,
      onItem() {
        if (++done % reportEvery === 0)
          report({ messages: [message(isDry ? 'migrate.checking-progress' : 'migrate.progress', { count: done })] });
      },
    });
    if (items === 0 && log.problems() === 0)
      throw new MessageError(message('migrate.nothing', { program: program.name, source: row.source }));
  } finally {
    await source.items.return(undefined);
    await save();
  }
  const added = Object.values(counts).reduce((sum, count) => sum + count.added, 0);
  return message(isDry ? 'migrate.dry-run' : 'migrate.done', { count: added });
}

/** Records how an import ended. `error`: why it failed, or null. */
export async function endProgramImport(
  { db, now, announce }: AppContext,
  row: Pick<ProgramImportRow, 'id' | 'isDryRun'>,
  status: ProgramImportRow['status'],
  error: unknown,
): Promise<void> {
  await db
    .updateTable('migration')
    .set({
      status,
      error: error === null ? null : storeMessages(messagesOf(error)),
      endedAt: now(),
      sealed: null,
      undoUntil: row.isDryRun === 1 ? null : now() + undoDays * 86_400,
    })
    .where('id', '=', row.id)
    .execute();
  announce('migrate', 'channel', 'playlist', 'download', 'video');
}

/** Runs an import and records how it ended. */
export async function runProgramImport(
  app: AppContext,
  row: ProgramImportRow,
  work: TaskWork<unknown>,
  options: RunOptions = {},
): Promise<Message> {
  const { db, announce } = app;
  await db.updateTable('migration').set({ status: 'running' }).where('id', '=', row.id).execute();
  announce('migrate');
  try {
    const result = await run(app, row, work, options);
    await endProgramImport(app, row, 'done', null);
    return result;
  } catch (error) {
    // A shutdown is no end: the run continues at the next start.
    if (!(work.signal.reason instanceof Shutdown)) await endProgramImport(app, row, 'failed', error);
    throw error;
  }
}
