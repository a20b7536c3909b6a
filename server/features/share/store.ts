import type { ExpressionBuilder } from 'kysely';
import type { ShareLink } from '#contract/share.ts';
import { message } from '#contract/messages.ts';
import type { Viewer } from '../../platform/db/schema/playlist-access.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Tables } from '../../platform/db/schema/tables.ts';
import { createSecret, unknownSecret } from '../../platform/http/auth/secret-address.ts';
import { tokenHashOf } from '../../platform/http/auth/session.ts';
import { badRequest, HttpError } from '../../platform/http/http-error.ts';
import { seal, unseal } from '../../platform/security/encryption.ts';
import { findVideoSource } from '../smart-list/video-source.ts';

const maxShares = 500;
// Links are listed that long after their expiry.
const keptSeconds = 30 * 86_400;

interface NewShare {
  accountId: number;
  type: ShareLink['type'];
  targetId: string;
  passwordHash: string | null;
  expiresAt: number | null;
  allowsDownload: boolean;
}

export async function createShare(app: AppContext, { accountId, allowsDownload, ...share }: NewShare) {
  const { db, keys, now } = app;
  await db
    .deleteFrom('share')
    .where('expiresAt', '<', now() - keptSeconds)
    .execute();
  const { links } = await db
    .selectFrom('share')
    .select((e) => e.fn.countAll<number>().as('links'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  if (links >= maxShares) throw badRequest('error.too-many-shares', { count: maxShares });
  const secret = createSecret(app);
  const secretHash = tokenHashOf(secret);
  const { number } = await db
    .insertInto('share')
    .values({
      ...share,
      accountId,
      secretHash,
      sealed: seal(keys, `link.${secretHash}`, secret),
      allowsDownload: allowsDownload ? 1 : 0,
      createdAt: now(),
    })
    .returning('number')
    .executeTakeFirstOrThrow();
  return { number, secret };
}

const mayShare = (w: ExpressionBuilder<Tables, 'account'>) =>
  w.or([w('account.mayShare', '=', 1), w('account.isStaff', '=', 1), w('account.isSuperuser', '=', 1)]);

/** Whether a user may share with people without an account. */
export const userMayShare = async (db: Db, id: number): Promise<boolean> =>
  (await db.selectFrom('account').select('id').where('id', '=', id).where(mayShare).executeTakeFirst()) !== undefined;

const shareRows = (db: Db) =>
  db
    .selectFrom('share')
    .innerJoin('account', 'account.id', 'share.accountId')
    .selectAll('share')
    .select(['account.name as owner', 'account.isDisabled', 'account.isStaff', 'account.isSuperuser', 'account.mayShare']);

/** Links of the user; for staff, of all users. */
const linksSeenBy = (db: Db, { id, isStaff }: Viewer) => shareRows(db).$if(!isStaff, (q) => q.where('share.accountId', '=', id));

export const listShares = (db: Db, viewer: Viewer, { size, from }: { size: number; from: number }) =>
  linksSeenBy(db, viewer).orderBy('share.number', 'desc').limit(size).offset(from).execute();
export type ShareRow = Awaited<ReturnType<typeof listShares>>[number];

export const countShares = async (db: Db, { id, isStaff }: Viewer): Promise<number> =>
  (
    await db
      .selectFrom('share')
      .select((e) => e.fn.countAll<number>().as('links'))
      .$if(!isStaff, (q) => q.where('accountId', '=', id))
      .executeTakeFirstOrThrow()
  ).links;

/** Returns whether the link existed and may be revoked by the user. */
export async function deleteShare(db: Db, { id, isStaff }: Viewer, number: number): Promise<{ accountId: number } | undefined> {
  return db
    .deleteFrom('share')
    .where('number', '=', number)
    .$if(!isStaff, (q) => q.where('accountId', '=', id))
    .returning('accountId')
    .executeTakeFirst();
}

export const secretOf = ({ keys }: AppContext, { secretHash, sealed }: Pick<ShareRow, 'secretHash' | 'sealed'>) =>
  unseal(keys, `link.${secretHash}`, sealed);

const ownerOf = ({ accountId, isStaff, isSuperuser }: ShareRow): Viewer => ({
  id: accountId,
  isStaff: isStaff + isSuperuser > 0,
});

export const isExpired = ({ now }: Pick<AppContext, 'now'>, { expiresAt }: Pick<ShareRow, 'expiresAt'>) =>
  expiresAt !== null && expiresAt <= now();

/** Whether the owner of a link may share at the moment. */
export const canOwnerShare = ({ isDisabled, isStaff, isSuperuser, mayShare: may }: ShareRow) =>
  isDisabled === 0 && isStaff + isSuperuser + may > 0;

/** Returns the title of what is shared; null if it was deleted or its owner may not see it. */
export async function findTitle(db: Db, share: ShareRow): Promise<string | null> {
  if (share.type === 'video') {
    const video = await db.selectFrom('video').select('title').where('id', '=', share.targetId).executeTakeFirst();
    return video?.title ?? null;
  }
  return (await findVideoSource(db, ownerOf(share), 'playlist', share.targetId))?.name ?? null;
}

/**
 * Returns the link of a secret and the title of what it shows.
 * @throws 403 for an unknown secret or an owner who may not share; 410 for a revoked or expired link, or a deleted target
 */
export async function openShare(app: AppContext, secret: string) {
  const share = await shareRows(app.db).where('share.secretHash', '=', tokenHashOf(secret)).executeTakeFirst();
  if (!share) throw unknownSecret(app, secret);
  if (isExpired(app, share)) throw new HttpError(410, message('error.link-expired'));
  if (!canOwnerShare(share)) throw new HttpError(403, message('error.link-owner'), { key: 'detail' });
  const name = await findTitle(app.db, share);
  if (name === null) throw new HttpError(410, message('error.link-target-gone'));
  return { ...share, name };
}
export type OpenShare = Awaited<ReturnType<typeof openShare>>;

export const includesVideo = async (db: Db, { type, targetId }: ShareRow, videoId: string): Promise<boolean> =>
  type === 'video'
    ? targetId === videoId
    : (await db
        .selectFrom('playlistVideo')
        .select('videoId')
        .where('videoId', '=', videoId)
        .where('playlistId', '=', targetId)
        .executeTakeFirst()) !== undefined;

export const countView = ({ db, now }: AppContext, number: number) =>
  db
    .updateTable('share')
    .set((e) => ({ views: e('views', '+', 1), lastViewedAt: now() }))
    .where('number', '=', number)
    .execute();
