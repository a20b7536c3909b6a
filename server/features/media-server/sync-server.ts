import type { MediaServerReport } from '#contract/media-server.ts';
import { message, type Message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { withClient } from './client.ts';
import { MediaServerError } from './connection.ts';
import { overlaps } from './paths.ts';
import { createReport } from './report.ts';
import { accessTo, findServer, mappingsOf, recordFailure, recordSuccess, updateServer, type ServerRow } from './store.ts';
import { syncPersons, type SyncContext } from './sync-persons.ts';
import { syncPlaylists } from './sync-playlists.ts';

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    /** Running synchronizations by number of the server. */
    mediaServerSyncs: Map<number, Promise<void>>;
  }
}

export interface SyncOptions {
  isDryRun: boolean;
  /** Started by a user. */
  isManual: boolean;
  signal: AbortSignal;
  progress(messages: Message[]): void;
}

const everySeconds = 15 * 60;
// A large library that takes minutes is not read all the time.
const pausePerDuration = 10;

async function run(app: AppContext, server: ServerRow, options: SyncOptions): Promise<MediaServerReport> {
  const { db, now } = app;
  const { isDryRun, isManual, signal, progress } = options;
  const started = now();
  const report = createReport(isDryRun, started);
  const mappings = mappingsOf(server);
  try {
    await withClient(app, accessTo(app, server, signal), async (client) => {
      const libraries = (await client.libraries()).filter(({ folders }) =>
        folders.some((folder) => mappings.some(({ to }) => overlaps(folder, to))),
      );
      if (libraries.length === 0) {
        const folders = { list: mappings.map(({ to }) => message('text', { text: to })) };
        report.add('problem', null, server.name, message('media-server.no-library', { folders }));
      }
      const context: SyncContext = {
        app,
        server,
        client,
        libraries,
        mappings,
        report,
        isDryRun,
        isManual,
        signal,
        progress,
        seenItems: new Map(),
      };
      await syncPersons(context);
      await syncPlaylists(context);
    });
  } catch (error) {
    if (error instanceof MediaServerError) {
      await recordFailure(app, server.number, 'sync', error);
      app.announce('media-server');
    }
    throw error;
  }
  const result: MediaServerReport = { ...report.report, ended: now() };
  const { here, there, playlists, problems } = result;
  const isWorthKeeping = isManual || here + there + playlists + problems > 0;
  await recordSuccess(db, server.number, 'sync', {
    ...(!isDryRun && {
      syncedAt: result.ended,
      nextSyncAt: result.ended + Math.max(everySeconds, pausePerDuration * (result.ended - started)),
    }),
    ...(isWorthKeeping && { report: JSON.stringify(result) }),
  });
  app.announce('media-server');
  return result;
}

/** Synchronizes a server after an earlier synchronization of it has ended. @throws MediaServerError, recorded with the server */
export async function syncServer(app: AppContext, number: number, options: SyncOptions): Promise<MediaServerReport | null> {
  const { mediaServerSyncs } = app.state;
  while (mediaServerSyncs.has(number)) await mediaServerSyncs.get(number);
  const server = await findServer(app.db, number);
  if (!server) return null;
  const running = run(app, server, options);
  mediaServerSyncs.set(
    number,
    running.then(
      () => {},
      () => {},
    ),
  );
  try {
    return await running;
  } finally {
    mediaServerSyncs.delete(number);
  }
}

/** Synchronizes servers with persons or playlists every quarter of an hour. Failed attempts are repeated with growing pauses. */
export async function syncMediaServers(app: AppContext, signal: AbortSignal): Promise<void> {
  const { db, now, log, state } = app;
  const due = await db
    .selectFrom('mediaServer')
    .select(['number', 'name', 'nextSyncAt'])
    .where('state', 'in', ['new', 'ready', 'retrying'])
    .where('nextAt', '<=', now())
    .where('nextSyncAt', '<=', now())
    .where((w) =>
      w.or([
        w.exists(w.selectFrom('mediaServerPerson').select('accountId').whereRef('serverNumber', '=', 'mediaServer.number')),
        w.exists(w.selectFrom('mediaServerPlaylist').select('playlistId').whereRef('serverNumber', '=', 'mediaServer.number')),
      ]),
    )
    .execute();
  for (const { number, name } of due) {
    if (state.mediaServerSyncs.has(number)) continue;
    try {
      const options = { isDryRun: false, isManual: false, signal, progress: () => {} };
      await syncServer(app, number, options);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof MediaServerError)) {
        // A bug must not be repeated every minute either.
        await updateServer(db, number, { nextSyncAt: now() + everySeconds });
        log.error({ server: name, err: error }, 'cannot synchronize a media server');
      }
    }
  }
}
