import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from './acquisition.ts';
import { createTempFolder, addressOf, logInToProgram, startProgram, type ApiClient } from './program.ts';

interface SeedOptions {
  /** Name of the folder, unique in a test run. */
  name: string;
  env: Record<string, string>;
  fill(visitor: ApiClient): Promise<void>;
}

/**
 * Copies a data folder that the first test file of a run fills: downloading the same videos for every file takes longer than the
 * tests. The caller removes the copy.
 */
export async function createSeededFolder(options: SeedOptions): Promise<Awaited<ReturnType<typeof createTempFolder>>> {
  const folder = await createTempFolder();
  await cp(await templateOf(options), folder.path, { recursive: true, preserveTimestamps: true });
  return folder;
}

/** Creates all storyboards. Without it, the server of every test file creates them in the background. */
async function makeStoryboards({ call }: ApiClient): Promise<void> {
  const { task_id: id } = (await call('POST', '/api/task/by-name/make_storyboards/')).json as { task_id: string };
  await eventually(async () => ((await call('GET', `/api/task/by-id/${id}/`)).json as { status: string }).status === 'SUCCESS');
}

async function templateOf({ name, env, fill }: SeedOptions): Promise<string> {
  const template = join(process.env.REELKEEP_TEST_SHARED!, name);
  const lock = `${template}.lock`;
  // A second test file waits for the first, and fills the folder itself if the first one failed.
  await eventually(() =>
    mkdir(lock).then(
      () => true,
      () => false,
    ),
  );
  try {
    if (existsSync(template)) return template;
    const data = `${template}.filling`;
    await rm(data, { recursive: true, force: true });
    await mkdir(data);
    const program = await startProgram({ data, env });
    try {
      const visitor = await logInToProgram(await addressOf(program));
      await fill(visitor);
      await makeStoryboards(visitor);
    } finally {
      program.child.kill('SIGTERM');
      await program.ended;
    }
    await rename(data, template);
    return template;
  } finally {
    await rmdir(lock);
  }
}
