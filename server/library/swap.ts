import { readdir, readFile, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { Archive } from '../archive.ts';
import { exists, fingerprint, incomingFolder, removeFile, syncFile, syncFolder, writeWhole } from '../media/shelf.ts';

// A finished file takes the place of another, and its row says what it is from then on. Between the two nothing may be lost,
// so what is to be done is written down first.

const Plan = z.object({ id: z.string(), from: z.string(), sizeBytes: z.int(), sha256: z.string() });
type Plan = z.infer<typeof Plan>;

/** Where a file is made that is to take another's place: on the same file system. */
export const swapPath = ({ config }: Pick<Archive, 'config'>, id: string, ending: string) =>
  join(incomingFolder(config.mediaFolder), `swap-${id}${ending}`);
const planPath = (archive: Pick<Archive, 'config'>, id: string) => swapPath(archive, id, '.json');

async function carryOut(archive: Archive, plan: Plan): Promise<void> {
  const { db, config, announce } = archive;
  const from = join(incomingFolder(config.mediaFolder), basename(plan.from));
  const video = await db.selectFrom('video').select('mediaPath').where('id', '=', plan.id).executeTakeFirst();
  if (video) {
    const to = join(config.mediaFolder, video.mediaPath);
    if (await exists(from)) {
      await rename(from, to);
      await syncFolder(dirname(to));
    }
    const { sizeBytes, sha256 } = plan;
    if ((await stat(to)).size === sizeBytes)
      await db.updateTable('video').set({ sizeBytes, sha256, damage: null }).where('id', '=', plan.id).execute();
  }
  await removeFile(from);
  await removeFile(planPath(archive, plan.id));
  announce('video');
}

/** Puts a finished file in the place of a video's, and says so on its row. */
export async function swapFile(archive: Archive, id: string, from: string): Promise<void> {
  await syncFile(from);
  const plan: Plan = { id, from: basename(from), ...(await fingerprint(from)) };
  await writeWhole(planPath(archive, id), JSON.stringify(plan));
  await carryOut(archive, plan);
}

/** Finishes what a crash cut off, and removes what was not finished. */
export async function recoverSwaps(archive: Archive): Promise<void> {
  const folder = incomingFolder(archive.config.mediaFolder);
  const names = (await readdir(folder)).filter((name) => name.startsWith('swap-'));
  for (const name of names.filter((one) => one.endsWith('.json'))) {
    try {
      await carryOut(archive, Plan.parse(JSON.parse(await readFile(join(folder, name), 'utf8'))));
    } catch (error) {
      archive.log.error({ name, err: error }, 'a file that was to take another’s place cannot be put there');
    }
  }
  for (const name of await readdir(folder))
    if (name.startsWith('swap-') && !(await exists(join(folder, name.replace(/\.\w+(\.\w+)?$/, '.json')))))
      await removeFile(join(folder, name));
}
