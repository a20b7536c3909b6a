import { message, type Message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { chunks, inTransaction, type Db, type Tx } from '../../platform/db/db.ts';
import { storeMessages } from '../../platform/messages/stored.ts';
import { writeWatchRows } from '../../archive/video/watch-store.ts';
import { listViews, type ViewRow } from '../view/store.ts';
import type { Library, MediaServerClient, RemotePerson } from './client.ts';
import { MediaServerError } from './connection.ts';
import { matchItems, type MatchedItem } from './match-items.ts';
import { decide, isSameState, type DatedState, type KnownStates, type WatchState } from './merge.ts';
import type { Mapping } from './paths.ts';
import type { ReportBuilder } from './report.ts';
import { listPersons, remotePerson, type NamedPerson, type ServerRow } from './store.ts';

const pageSize = 500;
const day = 86_400;
// Writing the time of each item in each run would write 100,000 rows every quarter of an hour.
const seenEvery = 7 * day;
const forgetAfter = 30 * day;
// A server that has lost its data reports everything as unwatched.
const maxUnwatched = 50;

export interface SyncContext {
  app: AppContext;
  server: ServerRow;
  client: MediaServerClient;
  libraries: Library[];
  mappings: Mapping[];
  report: ReportBuilder;
  isDryRun: boolean;
  /** Started by a user, who may have seen a dry run. */
  isManual: boolean;
  signal: AbortSignal;
  progress(messages: Message[]): void;
  /** Dry run: items by `<account> <video>`, because they are not stored. */
  seenItems: Map<string, string>;
}

/** Enough for the playlists of a dry run. */
const maxSeenItems = 50_000;

const clock = (seconds: number) => {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const pad = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(rest)}` : `${minutes}:${pad(rest)}`;
};

/** Describes a change of a state. */
function textOf(before: WatchState, after: WatchState): Message[] {
  const messages: Message[] = [];
  if (before.isWatched !== after.isWatched)
    messages.push(message(after.isWatched ? 'media-server.set-watched' : 'media-server.set-unwatched'));
  if (after.positionSeconds > 0 && after.positionSeconds !== before.positionSeconds)
    messages.push(message('media-server.set-position', { time: clock(after.positionSeconds) }));
  return messages.length > 0 ? messages : [message('media-server.set-start')];
}

interface StateHere extends DatedState {
  watchedAt: number | null;
}

async function statesHere(db: Db | Tx, accountId: number, videoIds: string[]): Promise<Map<string, StateHere>> {
  const rows = await db
    .selectFrom('watch')
    .select(['videoId', 'watchedAt', 'positionSeconds', 'updatedAt'])
    .where('accountId', '=', accountId)
    .where('videoId', 'in', videoIds)
    .execute();
  return new Map(
    rows.map(({ videoId, watchedAt, positionSeconds, updatedAt }) => [
      videoId,
      { isWatched: watchedAt !== null, positionSeconds: Math.floor(positionSeconds ?? 0), at: updatedAt, watchedAt },
    ]),
  );
}

interface Known extends KnownStates {
  videoId: string;
  seenAt: number;
}

async function knownStates(db: Db | Tx, server: ServerRow, accountId: number, itemIds: string[]): Promise<Map<string, Known>> {
  const rows = await db
    .selectFrom('mediaServerItem')
    .selectAll()
    .where('serverNumber', '=', server.number)
    .where('accountId', '=', accountId)
    .where('itemId', 'in', itemIds)
    .execute();
  return new Map(
    rows.map((row) => [
      row.itemId,
      {
        here: { isWatched: row.isWatchedHere === 1, positionSeconds: row.positionHere },
        there: { isWatched: row.isWatchedThere === 1, positionSeconds: row.positionThere },
        videoId: row.videoId,
        seenAt: row.seenAt,
      },
    ]),
  );
}

interface ItemStates extends KnownStates {
  itemId: string;
  videoId: string;
}

async function saveKnown({ server, app }: SyncContext, db: Db | Tx, accountId: number, states: ItemStates[]): Promise<void> {
  const rows = states.map(({ itemId, videoId, here, there }) => ({
    serverNumber: server.number,
    accountId,
    itemId,
    videoId,
    isWatchedHere: here.isWatched ? (1 as const) : (0 as const),
    positionHere: here.positionSeconds,
    isWatchedThere: there.isWatched ? (1 as const) : (0 as const),
    positionThere: there.positionSeconds,
    seenAt: app.now(),
  }));
  for (const batch of chunks(rows, 500))
    await db
      .insertInto('mediaServerItem')
      .values(batch)
      .onConflict((c) =>
        c.columns(['serverNumber', 'accountId', 'itemId']).doUpdateSet((e) => ({
          videoId: e.ref('excluded.videoId'),
          isWatchedHere: e.ref('excluded.isWatchedHere'),
          positionHere: e.ref('excluded.positionHere'),
          isWatchedThere: e.ref('excluded.isWatchedThere'),
          positionThere: e.ref('excluded.positionThere'),
          seenAt: e.ref('excluded.seenAt'),
        })),
      )
      .execute();
}

interface Push extends MatchedItem {
  state: DatedState;
  watchedAt: number | null;
  here: WatchState;
}

interface PersonRun {
  person: NamedPerson;
  remote: RemotePerson;
  /** Items that the server has set to unwatched, of an automatic run: applied at its end if they are not many. */
  unwatched: MatchedItem[];
  unwatchedCount: number;
}

const unwatchedHere: StateHere = { isWatched: false, positionSeconds: 0, at: null, watchedAt: null };

/**
 * Applies the states of the server to a page of items, in one transaction with reading ours, so that no change of the user is
 * lost. Returns what is to be sent to the server.
 */
async function applyPage(context: SyncContext, run: PersonRun, page: MatchedItem[], acceptsUnwatched: boolean): Promise<Push[]> {
  const { app, report, isDryRun, server } = context;
  const { accountId, accountName } = run.person;
  const now = app.now();
  const pushes: Push[] = [];
  let isChanged = false;
  await inTransaction(app.db, async (tx) => {
    const videoIds = [...new Set(page.map(({ videoId }) => videoId))];
    const here = await statesHere(tx, accountId, videoIds);
    const existing = new Set(
      (await tx.selectFrom('video').select('id').where('id', 'in', videoIds).execute()).map(({ id }) => id),
    );
    const known = await knownStates(tx, server, accountId, page.map(({ item }) => item.id)); // prettier-ignore
    const watchRows = new Map<string, Parameters<typeof writeWatchRows>[1][number]>();
    const settled: ItemStates[] = [];
    for (const matched of page) {
      const { item, videoId, title } = matched;
      if (!existing.has(videoId)) continue; // deleted meanwhile
      const ours = here.get(videoId) ?? unwatchedHere;
      const before = known.get(item.id)?.videoId === videoId ? known.get(item.id) : undefined;
      const theirs = { isWatched: item.isWatched, positionSeconds: item.positionSeconds, at: item.playedAt };
      const decision = decide(before, ours, theirs, now);
      if (decision.here && ours.isWatched && !decision.here.isWatched && !acceptsUnwatched) {
        run.unwatchedCount++;
        if (run.unwatched.length <= maxUnwatched) run.unwatched.push(matched);
        continue;
      }
      let after = ours;
      if (decision.here) {
        const { isWatched, positionSeconds } = decision.here;
        const at = Math.min(decision.here.at ?? now, now);
        const watchedAt = isWatched ? (ours.watchedAt ?? at) : null;
        after = { isWatched, positionSeconds, at, watchedAt };
        here.set(videoId, after);
        watchRows.set(videoId, {
          accountId,
          videoId,
          watchedAt,
          positionSeconds: positionSeconds > 0 ? positionSeconds : null,
          updatedAt: at,
        });
        report.add('here', accountName, title, textOf(ours, after));
      }
      if (decision.there) pushes.push({ ...matched, state: decision.there, watchedAt: after.watchedAt, here: after });
      else if (
        !before ||
        before.seenAt < now - seenEvery ||
        !isSameState(before.here, after) ||
        !isSameState(before.there, theirs)
      )
        settled.push({ itemId: item.id, videoId, here: after, there: theirs });
    }
    if (isDryRun) return;
    isChanged = watchRows.size > 0;
    if (isChanged) await writeWatchRows(tx, [...watchRows.values()]);
    await saveKnown(context, tx, accountId, settled);
  });
  if (isChanged) app.events.announceTo(accountId, 'video');
  return pushes;
}

/** Sends states to the server. Items that it does not accept are problems of their own. */
async function sendStates(context: SyncContext, { person, remote }: PersonRun, pushes: Push[]): Promise<void> {
  const { app, client, report, isDryRun, signal } = context;
  const { accountId, accountName } = person;
  for (const { item, videoId, title, state, watchedAt, here } of pushes) {
    signal.throwIfAborted();
    const { isWatched, positionSeconds, at } = state;
    const text = textOf(item, state);
    if (isDryRun) {
      report.add('there', accountName, title, text);
      continue;
    }
    try {
      const there = await client.setState(remote, item, {
        isWatched,
        positionSeconds,
        playedAt: isWatched && positionSeconds === 0 ? watchedAt : at,
      });
      await saveKnown(context, app.db, accountId, [{ itemId: item.id, videoId, here, there }]);
      report.add('there', accountName, title, text);
    } catch (error) {
      if (!(error instanceof MediaServerError) || error.failure !== 'other') throw error;
      const why =
        error.status === 404 ? message('media-server.item-gone') : message('media-server.write-failed', { why: error.messages });
      report.add('problem', accountName, title, why);
    }
  }
}

async function syncPage(context: SyncContext, run: PersonRun, page: MatchedItem[], acceptsUnwatched: boolean): Promise<void> {
  if (page.length === 0) return;
  await sendStates(context, run, await applyPage(context, run, page, acceptsUnwatched));
}

async function syncPerson(context: SyncContext, views: ViewRow[], run: PersonRun): Promise<void> {
  const { app, client, libraries, mappings, report, isManual, isDryRun, signal, seenItems, server } = context;
  const { accountId, accountName } = run.person;
  const started = app.now();
  let count = 0;
  for (const library of libraries)
    for await (const items of client.items(library, run.remote, pageSize)) {
      signal.throwIfAborted();
      const page = await matchItems(app.db, { views, mappings }, items);
      count += items.length;
      report.countItems(items.length, page.length);
      context.progress([message('media-server.syncing-person', { person: accountName, count })]);
      if (isDryRun)
        for (const { item, videoId } of page)
          if (seenItems.size < maxSeenItems) seenItems.set(`${accountId} ${videoId}`, item.id);
      await syncPage(context, run, page, isManual || isDryRun);
    }
  if (run.unwatchedCount > maxUnwatched)
    report.add('problem', accountName, server.name, message('media-server.many-unwatched', { count: run.unwatchedCount }));
  else await syncPage(context, run, run.unwatched, true);
  if (!isDryRun)
    await app.db
      .deleteFrom('mediaServerItem')
      .where('serverNumber', '=', server.number)
      .where('accountId', '=', accountId)
      .where('seenAt', '<', started - forgetAfter)
      .execute();
}

const setProblem = ({ app, server }: SyncContext, accountId: number, problem: Message[] | null) =>
  app.db
    .updateTable('mediaServerPerson')
    .set({ problem: problem && storeMessages(problem) })
    .where('serverNumber', '=', server.number)
    .where('accountId', '=', accountId)
    .execute();

/** Synchronizes the watch states of all persons. A rejected token of a person stops only that person, until it is changed. */
export async function syncPersons(context: SyncContext): Promise<void> {
  const { app, server, report, isManual, isDryRun } = context;
  const views = await listViews(app.db);
  for (const person of await listPersons(app.db, server.number)) {
    if (!person.sharesWatchState) {
      if (isManual) report.add('problem', person.accountName, server.name, message('media-server.no-consent'));
      continue;
    }
    if (person.problem !== null && !isManual) continue;
    try {
      const run = { person, remote: remotePerson(app, server, person), unwatched: [], unwatchedCount: 0 };
      await syncPerson(context, views, run);
      if (person.problem !== null && !isDryRun) await setProblem(context, person.accountId, null);
    } catch (error) {
      const isOfPerson =
        error instanceof MediaServerError && (error.failure === 'other' || (error.failure === 'token' && person.sealed !== null));
      if (!isOfPerson) throw error;
      report.add('problem', person.accountName, person.userName, error.messages);
      if (!isDryRun) await setProblem(context, person.accountId, error.messages);
    }
  }
}
