import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ProgramImportReport } from '#contract/program-import.ts';
import { importFolder } from '../platform/config/data-folder.ts';
import { createUser, testApp, type TestApp, type TestOptions } from './app.ts';

export type Staff = Awaited<ReturnType<typeof createUser>>;

/** Creates an archive that runs tasks, and a staff user. */
export async function archiveForImports(options: TestOptions = {}) {
  const t = await testApp(options);
  await t.runner.begin();
  return { t, staff: await createUser(t, { isStaff: true }) };
}

/** Writes files below the import folder of a test archive. */
export async function writeImports(t: TestApp, files: Record<string, string | Uint8Array>): Promise<string> {
  const root = importFolder(t.app.config);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  return root;
}

/** Starts an import, waits for its end, and returns its report. */
export async function importFromProgram(t: TestApp, staff: Staff, body: object): Promise<ProgramImportReport> {
  const started = await staff.call('POST', '/api/migrate/', body);
  if (started.statusCode !== 200) throw new Error(started.body);
  return reportOf(t, staff, started.json<{ id: string }>().id);
}

export async function reportOf(t: TestApp, staff: Staff, id: string): Promise<ProgramImportReport> {
  await t.runner.idle();
  return (await staff.call('GET', `/api/migrate/${id}/`)).json<ProgramImportReport>();
}

/** Undoes an import and waits for the end. */
export async function undo(t: TestApp, staff: Staff, id: string): Promise<ProgramImportReport> {
  const started = await staff.call('POST', `/api/migrate/${id}/undo/`);
  if (started.statusCode !== 200) throw new Error(started.body);
  return reportOf(t, staff, id);
}

/** The counts of a report as `{what: [found, added, here, left]}`. */
export const countsOf = ({ counts }: ProgramImportReport) =>
  Object.fromEntries(counts.map(({ what, found, added, here, left }) => [what, [found, added, here, left]]));

export const problemsOf = ({ lines }: ProgramImportReport) =>
  lines.filter(({ kind }) => kind === 'problem').map(({ what, why }) => `${what}: ${why}`);

export const channelOf = (n: number) => `UC${String(n).padStart(22, 'a')}`;
export const videoIdOf = (n: number) => `v${String(n).padStart(10, '0')}`;

/** Everything that an import may change, to compare before and after an undo. */
export async function contentsOf({ app: { db } }: TestApp) {
  const tables = ['channel', 'playlist', 'playlistEntry', 'download', 'seenEntry', 'watch', 'video'] as const;
  return Object.fromEntries(
    await Promise.all(
      tables.map(async (table) => [
        table,
        (await db.selectFrom(table).selectAll().execute()).map((row) => JSON.stringify(row)).sort(),
      ]),
    ),
  ) as Record<(typeof tables)[number], string[]>;
}
