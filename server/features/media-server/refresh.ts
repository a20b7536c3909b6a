import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AppContext } from '../../platform/context/app-context.ts';
import { withClient, type FolderChange } from './client.ts';
import { MediaServerError } from './connection.ts';
import { isInside, pathThere, type Mapping } from './paths.ts';
import { accessTo, findServer, mappingsOf, recordFailure, recordSuccess, type RefreshRow, type ServerRow } from './store.ts';

// One refresh per folder for a burst of changes.
const quietSeconds = 30;
const longestWait = 300;
// Of more folders, the view is refreshed as a whole.
const maxFolders = 50;
// Kodi reads this many files again in one refresh; the others follow in the next ones.
const maxFiles = 50;

const isFolder = (path: string) =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

const isFile = (path: string) =>
  stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );

/** Returns a folder that exists, because servers do not find what is gone: the folder, or one above it. */
async function existingFolder(folder: string, root: string): Promise<string> {
  let path = folder;
  while (path.length > root.length && !(await isFolder(path))) path = dirname(path);
  return path;
}

interface Due {
  changes: Pick<RefreshRow, 'root' | 'folder' | 'change'>[];
  /** Rows that the changes stand for. */
  rows: RefreshRow[];
  /** Views that are refreshed as a whole. */
  roots: string[];
}

const nfoFiles = '%.nfo';

/** Returns the folders and files of a server whose changes have come to rest, or wait for long. */
async function dueChanges({ db, now }: AppContext, serverNumber: number): Promise<Due> {
  const isDue = ({ firstAt, lastAt }: { firstAt: number; lastAt: number }) =>
    lastAt <= now() - quietSeconds || firstAt <= now() - longestWait || lastAt > now();
  const views = await db
    .selectFrom('mediaServerRefresh')
    .select((e) => [
      'root',
      e.fn.countAll<number>().as('count'),
      e.fn.min('firstAt').as('firstAt'),
      e.fn.max('lastAt').as('lastAt'),
    ])
    .where('serverNumber', '=', serverNumber)
    .where('folder', 'not like', nfoFiles)
    .groupBy('root')
    .execute();
  const due: Due = { changes: [], rows: [], roots: [] };
  for (const { root, count, firstAt, lastAt } of views) {
    if (count > maxFolders) {
      if (!isDue({ firstAt, lastAt })) continue;
      due.roots.push(root);
      due.changes.push({ root, folder: root, change: 'Modified' });
      continue;
    }
    const rows = (
      await db
        .selectFrom('mediaServerRefresh')
        .selectAll()
        .where('serverNumber', '=', serverNumber)
        .where('root', '=', root)
        .where('folder', 'not like', nfoFiles)
        .orderBy('number')
        .execute()
    ).filter(isDue);
    due.rows.push(...rows);
    due.changes.push(...rows);
  }
  const files = await db
    .selectFrom('mediaServerRefresh')
    .selectAll()
    .where('serverNumber', '=', serverNumber)
    .where('folder', 'like', nfoFiles)
    .orderBy('number')
    .limit(maxFiles)
    .execute();
  const dueFiles = files.filter(isDue);
  due.rows.push(...dueFiles);
  due.changes.push(...dueFiles);
  return due;
}

async function forget({ db }: AppContext, serverNumber: number, { rows, roots }: Due, before: number): Promise<void> {
  for (const { number, version } of rows)
    await db.deleteFrom('mediaServerRefresh').where('number', '=', number).where('version', '=', version).execute();
  for (const root of roots)
    await db
      .deleteFrom('mediaServerRefresh')
      .where('serverNumber', '=', serverNumber)
      .where('root', '=', root)
      .where('folder', 'not like', nfoFiles)
      .where('lastAt', '<', before)
      .execute();
}

/** Returns a queued change as the server sees it; null if it does not read that part of the view. */
async function changeThere(mappings: Mapping[], { folder, root, change }: Due['changes'][number]): Promise<FolderChange | null> {
  const isMetadata = await isFile(folder);
  const existing = isMetadata ? folder : await existingFolder(folder, root);
  const path = pathThere(mappings, existing);
  if (path === null) return null;
  return {
    path,
    // A mapping of a part of the view ends at that part.
    root: pathThere(mappings, root) ?? mappings.find(({ to }) => isInside(path, to))!.to,
    change: isMetadata ? 'Metadata' : existing === folder ? change : 'Modified',
  };
}

async function refreshServer(app: AppContext, server: ServerRow, signal?: AbortSignal): Promise<void> {
  const due = await dueChanges(app, server.number);
  if (due.changes.length === 0) return;
  const before = app.now();
  const mappings = mappingsOf(server);
  const changes = new Map<string, FolderChange>();
  for (const queued of due.changes) {
    const found = await changeThere(mappings, queued);
    if (found) changes.set(found.path, changes.has(found.path) ? { ...found, change: 'Modified' } : found);
  }
  try {
    if (changes.size > 0) {
      await withClient(app, accessTo(app, server, signal), (client) => client.refresh([...changes.values()]));
      await recordSuccess(app.db, server.number, 'refresh', { refreshedAt: before });
    }
    await forget(app, server.number, due, before);
  } catch (error) {
    if (signal?.aborted) return;
    if (!(error instanceof MediaServerError)) throw error;
    await recordFailure(app, server.number, 'refresh', error);
  }
  app.announce('media-server');
}

/** Asks media servers to look at the folders of views that have changed. Failed requests are repeated with growing pauses. */
export async function refreshMediaServers(app: AppContext, signal?: AbortSignal): Promise<void> {
  const { db, now } = app;
  const waiting = await db
    .selectFrom('mediaServerRefresh')
    .innerJoin('mediaServer', 'mediaServer.number', 'serverNumber')
    .select('serverNumber')
    .distinct()
    .where('state', 'in', ['new', 'ready', 'retrying'])
    .where('nextAt', '<=', now())
    .execute();
  await Promise.all(
    waiting.map(async ({ serverNumber }) => {
      const server = await findServer(db, serverNumber);
      if (server) await refreshServer(app, server, signal);
    }),
  );
}
