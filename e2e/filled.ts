import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from './acquiring.ts';
import { aFolder, addressOf, aVisitor, startProgram, type Visitor } from './program.ts';

interface Wish {
  /** What it is called within a run of the tests. */
  name: string;
  env: Record<string, string>;
  fill(visitor: Visitor): Promise<void>;
}

/**
 * A copy of an archive that is filled once in a run of the tests, by whoever needs it first: fetching the same films again for
 * every file of tests takes longer than the tests. Goes when the test is over, as any folder.
 */
export async function aFilledFolder(wish: Wish): Promise<Awaited<ReturnType<typeof aFolder>>> {
  const folder = await aFolder();
  await cp(await templateOf(wish), folder.path, { recursive: true, preserveTimestamps: true });
  return folder;
}

async function templateOf({ name, env, fill }: Wish): Promise<string> {
  const template = join(process.env.REELKEEP_TEST_SHARED!, name);
  const lock = `${template}.lock`;
  // Who comes second waits for the first, and tries by itself if that one failed.
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
      await fill(await aVisitor(await addressOf(program)));
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
