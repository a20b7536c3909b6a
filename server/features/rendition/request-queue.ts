import type { Message } from '#contract/messages.ts';
import type { ExpressionBuilder, Selectable } from 'kysely';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { RenditionRequestTable, Tables } from '../../platform/db/schema/tables.ts';
import { parseMessages, storeMessages } from '../../platform/messages/stored.ts';

// Renditions that players are waiting for. In the database, because another server may render them than the player asked.

/** A requested rendition. */
export type RenditionRequest = Omit<Selectable<RenditionRequestTable>, 'askedAt' | 'failure'>;

// A player polls every second; browsers can throttle a background page to one request per minute.
const forgottenSeconds = 120;
// Polls within this time do not write.
const renewedSeconds = 10;
const failedSeconds = 60;
const most = 100;

type Part = Pick<AppContext, 'db' | 'now'>;

// The clock may have been set back.
const isWithin = (seconds: number, at: number, now: number) => Math.abs(now - at) <= seconds;

const find = ({ db }: Part, { videoId, name }: RenditionRequest) =>
  db.selectFrom('renditionRequest').selectAll().where('videoId', '=', videoId).where('name', '=', name).executeTakeFirst();

/** Adds or renews a request. Returns false if the queue is full. */
export async function addRequest(app: Part, request: RenditionRequest): Promise<boolean> {
  const { db } = app;
  const now = app.now();
  const found = await find(app, request);
  const isWaiting = found !== undefined && found.failure === null;
  if (isWaiting && isWithin(renewedSeconds, found.askedAt, now)) return true;
  const { waiting } = await db
    .selectFrom('renditionRequest')
    .select((e) => e.fn.countAll<number>().as('waiting'))
    .where('failure', 'is', null)
    .executeTakeFirstOrThrow();
  if (!isWaiting && waiting >= most) return false;
  const row = { ...request, askedAt: now, failure: null };
  await db
    .insertInto('renditionRequest')
    .values(row)
    .onConflict((c) => c.columns(['videoId', 'name']).doUpdateSet(row))
    .execute();
  return true;
}

/** Returns the next rendition to create; null if none is requested. Expired requests and failures are removed. */
export async function nextRequest({ db, now }: Part): Promise<RenditionRequest | null> {
  await db
    .deleteFrom('renditionRequest')
    .where((w) =>
      w.or([
        w.not(w.between('askedAt', now() - forgottenSeconds, now() + forgottenSeconds)),
        w.and([w('failure', 'is not', null), w.not(w.between('askedAt', now() - failedSeconds, now() + failedSeconds))]),
      ]),
    )
    .execute();
  const next = await db
    .selectFrom('renditionRequest')
    .select(['videoId', 'name', 'stamp', 'track', 'withPicture', 'onlyM4a'])
    .where('failure', 'is', null)
    .orderBy('askedAt')
    .limit(1)
    .executeTakeFirst();
  return next ?? null;
}

/** Removes a request. If it failed, the reason is kept for a while. */
export async function finishRequest({ db, now }: Part, request: RenditionRequest, why: Message[] | null = null): Promise<void> {
  const isRequest = (w: ExpressionBuilder<Tables, 'renditionRequest'>) =>
    w.and([w('videoId', '=', request.videoId), w('name', '=', request.name)]);
  if (why === null) await db.deleteFrom('renditionRequest').where(isRequest).execute();
  else
    await db
      .updateTable('renditionRequest')
      .set({ askedAt: now(), failure: storeMessages(why) })
      .where(isRequest)
      .execute();
}

/** Returns the reason of a recent failure; null if there is none. */
export async function failureReason(app: Part, request: RenditionRequest): Promise<Message[] | null> {
  const found = await find(app, request);
  return found?.failure && isWithin(failedSeconds, found.askedAt, app.now()) ? parseMessages(found.failure) : null;
}
