import type { Podcast } from '#contract/podcast.ts';
import { message } from '#contract/messages.ts';
import { createSecret, unknownSecret } from '../../platform/http/auth/secret-address.ts';
import { tokenHashOf } from '../../platform/http/auth/session.ts';
import { badRequest, HttpError } from '../../platform/http/http-error.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { seal, unseal } from '../../platform/security/encryption.ts';

const maxFeeds = 200;
const hour = 3600;

interface FeedTarget {
  type: Podcast['type'];
  id: string;
  media: Podcast['media'];
}

const findFeed = ({ db }: AppContext, accountId: number, { type, id, media }: FeedTarget) =>
  db
    .selectFrom('podcast')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('type', '=', type)
    .where('targetId', '=', id)
    .where('media', '=', media)
    .executeTakeFirst();

/** Returns the secret of a feed. */
export const secretOf = ({ keys }: AppContext, { secretHash, sealed }: { secretHash: string; sealed: string }) =>
  unseal(keys, `link.${secretHash}`, sealed);

/** Returns the feed of a user, created if missing. */
export async function createFeed(app: AppContext, accountId: number, target: FeedTarget) {
  const known = await findFeed(app, accountId, target);
  if (known) return { number: known.number, secret: secretOf(app, known) };
  const { db, keys, now } = app;
  if ((await listFeeds(app, accountId)).length >= maxFeeds) throw badRequest('error.too-many-feeds', { count: maxFeeds });
  const secret = createSecret(app);
  const secretHash = tokenHashOf(secret);
  const sealed = seal(keys, `link.${secretHash}`, secret);
  const { id: targetId, type, media } = target;
  await db
    .insertInto('podcast')
    .values({ accountId, type, targetId, media, secretHash, sealed, createdAt: now() })
    // Another request may have created it meanwhile.
    .onConflict((c) => c.columns(['accountId', 'type', 'targetId', 'media']).doNothing())
    .execute();
  const feed = (await findFeed(app, accountId, target))!;
  return { number: feed.number, secret: secretOf(app, feed) };
}

export const listFeeds = ({ db }: AppContext, accountId: number) =>
  db.selectFrom('podcast').selectAll().where('accountId', '=', accountId).orderBy('number').execute();

export async function deleteFeed({ db }: AppContext, accountId: number, number: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('podcast')
    .where('number', '=', number)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Returns the feed of a secret with its owner.
 * @throws 403 for an unknown secret, 410 for a revoked one or a disabled owner
 */
export async function openFeed(app: AppContext, secret: string) {
  const { db, now } = app;
  const feed = await db
    .selectFrom('podcast')
    .innerJoin('account', 'account.id', 'podcast.accountId')
    .selectAll('podcast')
    .select(['account.isDisabled', 'account.isStaff', 'account.isSuperuser'])
    .where('secretHash', '=', tokenHashOf(secret))
    .executeTakeFirst();
  if (!feed) throw unknownSecret(app, secret);
  if (feed.isDisabled) throw new HttpError(410, message('error.link-revoked'));
  if (now() - (feed.lastUsedAt ?? 0) > hour)
    await db.updateTable('podcast').set({ lastUsedAt: now() }).where('number', '=', feed.number).execute();
  return { ...feed, viewer: { id: feed.accountId, isStaff: feed.isStaff + feed.isSuperuser > 0 } };
}
export type OpenFeed = Awaited<ReturnType<typeof openFeed>>;
