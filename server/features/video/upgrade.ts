import { message } from '#contract/messages.ts';
import { keyOfUpgrade, parseUpgrade, parseUpgradeLog } from '../../archive/video/upgrade.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { inTransaction } from '../../platform/db/db.ts';
import { HttpError, notFound } from '../../platform/http/http-error.ts';
import { redownload } from '../download/redownload.ts';
import { addressOf } from '../download/requeue-archived.ts';
import { keepEditionTask } from './keep-edition-task.ts';

/**
 * Downloads a video again in the better quality that its source offers, or as it was edited there. The file before goes to the trash.
 * @throws 404 for an unknown video, 409 if nothing else is known at its source or its address is unknown
 */
export async function replaceByUpgrade(app: AppContext, id: string): Promise<void> {
  const { db } = app;
  const video = await db.selectFrom('video').select(['upgrade', 'sourceSeconds']).where('id', '=', id).executeTakeFirst();
  if (!video) throw notFound('error.video');
  const { upgrade, sourceSeconds } = video;
  if (upgrade === null && sourceSeconds === null) throw new HttpError(409, message('upgrade.none'));
  const count = await redownload(app, [id], upgrade === null ? 'edited' : 'better');
  if (count === 0) throw new HttpError(409, message('sounds.no-address'));
}

/**
 * Keeps the present file as a video of its own, and downloads the other edit, in the background.
 * @throws 404 for an unknown video, 409 if no other edit is known or its address is unknown
 */
export async function keepBothEditions({ db, tasks }: AppContext, id: string): Promise<void> {
  const video = await db
    .selectFrom('video')
    .select(['sourceSeconds', 'url', 'site', 'siteId'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!video) throw notFound('error.video');
  if (video.sourceSeconds === null) throw new HttpError(409, message('upgrade.none'));
  if (addressOf(video) === null) throw new HttpError(409, message('sounds.no-address'));
  await tasks.start(keepEditionTask, { id });
}

/**
 * Remembers that a person does not want the better quality, which is not offered again.
 * @throws 404 for an unknown video
 */
export async function declineUpgrade({ db, announce }: AppContext, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const video = await tx.selectFrom('video').select(['upgrade', 'upgradeLog']).where('id', '=', id).executeTakeFirst();
    if (!video) throw notFound('error.video');
    const upgrade = parseUpgrade(video.upgrade);
    if (!upgrade) return;
    const log = { ...parseUpgradeLog(video.upgradeLog), declined: keyOfUpgrade(upgrade) };
    await tx
      .updateTable('video')
      .set({ upgrade: null, upgradeLog: JSON.stringify(log) })
      .where('id', '=', id)
      .execute();
  });
  announce('video');
}
