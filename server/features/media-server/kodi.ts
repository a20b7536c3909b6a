import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { message } from '#contract/messages.ts';
import type { FolderChange, Library, MediaServerClient, RemoteItem, RemoteState } from './client.ts';
import { MediaServerError, invalidResponse, type Connection } from './connection.ts';
import { isInside } from './paths.ts';

// Kodi (https://kodi.wiki/view/JSON-RPC_API/v13), by its web server.

// Older versions cannot clean a single folder.
const oldestVersion = 19;
const maxWaitMs = 5 * 60_000;
const pollMs = 500;

/** The types of items, as they are called in methods and as the content of a folder. */
const types = [
  { name: 'Episode', content: 'tvshows', hasUniqueId: true },
  { name: 'Movie', content: 'movies', hasUniqueId: true },
  // Kodi 19 has no ids of music videos.
  { name: 'MusicVideo', content: 'musicvideos', hasUniqueId: false },
] as const;
type ItemType = (typeof types)[number];

const Reply = z.union([
  z.object({ result: z.unknown() }).refine(({ result }) => result !== undefined),
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
]);
const About = z.object({ version: z.object({ major: z.int(), minor: z.int() }) });
const Labels = z.record(z.string(), z.string());
const Profile = z.object({ label: z.string() });
const Sources = z.object({ sources: z.array(z.object({ file: z.string(), label: z.string() })).nullish() });
const Shows = z.object({ tvshows: z.array(z.object({ tvshowid: z.int(), file: z.string() })).nullish() });
const Flags = z.record(z.string(), z.boolean());
const Item = z.looseObject({
  file: z.string(),
  title: z.string().nullish(),
  playcount: z.number().nullish(),
  lastplayed: z.string().nullish(),
  resume: z.object({ position: z.number().nonnegative(), total: z.number().nonnegative() }).nullish(),
  uniqueid: z.record(z.string(), z.string()).nullish(),
});
type Item = z.infer<typeof Item>;

/** An item with its id, which Kodi replaces when it reads the metadata again. */
interface Entry {
  type: ItemType;
  id: number;
  item: Item;
}

interface Rule {
  field: 'path' | 'filename';
  operator: 'startswith';
  value: string;
}

const separatorOf = (path: string) => (path.includes('\\') ? '\\' : '/');
const asFolder = (path: string) => (/[\\/]$/.test(path) ? path : path + separatorOf(path));
const splitPath = (path: string) => {
  const end = path.lastIndexOf(separatorOf(path)) + 1;
  return { folder: path.slice(0, end), name: path.slice(end) };
};

/** Returns the folders of a source, which may be several in one address. */
const foldersOf = (file: string) =>
  file.startsWith('multipath://') ? file.slice(12).split('/').filter(Boolean).map(decodeURIComponent) : [file];

const pathRule = (folder: string): Rule => ({ field: 'path', operator: 'startswith', value: asFolder(folder) });

interface Options {
  address: string;
  /** `user:password` */
  token: string;
  signal?: AbortSignal | undefined;
}

export function createKodiClient(connection: Connection, { address, token, signal }: Options): MediaServerClient {
  const server = new URL(address).host;
  const headers = { authorization: `Basic ${Buffer.from(token).toString('base64')}` };
  let clock: Promise<number> | undefined;

  async function call<T>(shape: z.ZodType<T>, method: string, params: object = {}): Promise<T> {
    const reply = Reply.safeParse(
      await connection.ask({ method: 'POST', path: 'jsonrpc', headers, body: { jsonrpc: '2.0', id: 1, method, params } }),
    );
    if (!reply.success) throw invalidResponse(server, 'kodi');
    if ('error' in reply.data) {
      const why = `${method}: ${reply.data.error.message}`;
      throw new MediaServerError(message('media-server.call-failed', { server, why }), 'other');
    }
    const result = shape.safeParse(reply.data.result);
    if (!result.success) throw invalidResponse(server, 'kodi');
    return result.data;
  }
  const run = (method: string, params: object) => call(z.unknown(), `VideoLibrary.${method}`, params).then(() => undefined);
  const labels = (...names: string[]) => call(Labels, 'XBMC.GetInfoLabels', { labels: names });

  /** Seconds by which the local time of Kodi, which it uses for all dates, is ahead of UTC. */
  async function measureClock(): Promise<number> {
    const [date, time] = ['System.Date(yyyy-mm-dd)', 'System.Time(hh:mm:ss)'] as const;
    const found = await labels(date, time);
    const local = Date.parse(`${found[date]}T${found[time]}Z`);
    // Time zones are multiples of a quarter of an hour.
    return Number.isNaN(local) ? 0 : Math.round((local - Date.now()) / 900_000) * 900;
  }
  const clockOffset = () => (clock ??= measureClock());

  const stateOf = ({ playcount, lastplayed, resume }: Item, offset: number): RemoteState => {
    const at = lastplayed ? Date.parse(`${lastplayed.replace(' ', 'T')}Z`) / 1000 - offset : Number.NaN;
    return {
      isWatched: (playcount ?? 0) > 0,
      positionSeconds: Math.floor(resume?.position ?? 0),
      playedAt: at > 0 ? at : null,
    };
  };

  async function listItems(type: ItemType, rules: Rule[], limits?: { start: number; end: number }): Promise<Entry[]> {
    const key = type.name.toLowerCase();
    const properties = ['file', 'title', 'playcount', 'lastplayed', 'resume', ...(type.hasUniqueId ? ['uniqueid'] : [])];
    const shape = z.object({ [`${key}s`]: z.array(Item).nullish() });
    const found = await call(shape, `VideoLibrary.Get${type.name}s`, {
      properties,
      filter: { and: rules },
      ...(limits && { limits }),
    });
    return (found[`${key}s`] ?? []).flatMap((item) => {
      const id = item[`${key}id`];
      return typeof id === 'number' ? { type, id, item } : [];
    });
  }

  /** Finds the item of a file, or with `anyExtension` that of a file next to it. */
  async function findItem(path: string, anyExtension = false): Promise<Entry | undefined> {
    const { folder, name } = splitPath(path);
    const start = anyExtension ? name.replace(/[^.]*$/, '') : name;
    for (const type of types) {
      const entries = await listItems(type, [pathRule(folder), { field: 'filename', operator: 'startswith', value: start }]);
      const found = entries.find(({ item: { file } }) =>
        anyExtension ? file.replace(/[^.]*$/, '') === folder + start : file === path,
      );
      if (found) return found;
    }
    return undefined;
  }

  async function writeState({ type, id, item }: Entry, state: RemoteState): Promise<void> {
    const total = item.resume?.total ?? 0;
    const at = state.playedAt === null ? null : new Date((state.playedAt + (await clockOffset())) * 1000);
    await run(`Set${type.name}Details`, {
      [`${type.name.toLowerCase()}id`]: id,
      playcount: state.isWatched ? Math.max(1, item.playcount ?? 0) : 0,
      // Kodi looks up a missing length.
      resume: { position: state.positionSeconds, ...(total > 0 && { total }) },
      ...(at && { lastplayed: at.toISOString().slice(0, 19).replace('T', ' ') }),
    });
  }

  /** Waits until Kodi neither scans nor cleans its library. */
  async function waitForScan(): Promise<void> {
    const name = 'Library.IsScanningVideo';
    const end = performance.now() + maxWaitMs;
    while ((await call(Flags, 'XBMC.GetInfoBooleans', { booleans: [name] }))[name]) {
      if (performance.now() > end) throw new MediaServerError(message('media-server.busy', { server }), 'unavailable');
      await sleep(pollMs, undefined, { signal });
    }
  }

  async function libraries(): Promise<Library[]> {
    const { sources } = await call(Sources, 'Files.GetSources', { media: 'video' });
    return (sources ?? []).map(({ file, label }) => ({ id: file, name: label, folders: foldersOf(file), itemTypes: [] }));
  }

  /** Lets Kodi read the metadata of a show again, and not those of its episodes. */
  async function refreshShow(folder: string): Promise<void> {
    const { tvshows } = await call(Shows, 'VideoLibrary.GetTVShows', {
      properties: ['file'],
      filter: { and: [pathRule(folder)] },
    });
    for (const { tvshowid, file } of tvshows ?? [])
      if (file === folder) await run('RefreshTVShow', { tvshowid, refreshepisodes: false });
  }

  /** Lets Kodi read the metadata of a file again. Returns the item as it was; nothing for a show, whose episodes keep their state. */
  async function refreshItem(path: string): Promise<Entry[]> {
    const { folder, name } = splitPath(path);
    if (name === 'tvshow.nfo') {
      await refreshShow(folder);
      return [];
    }
    const entry = await findItem(path, true);
    if (!entry) return [];
    await run(`Refresh${entry.type.name}`, { [`${entry.type.name.toLowerCase()}id`]: entry.id });
    return [entry];
  }

  /** Sets the watch state of before a refresh, which takes that of the NFO file: it may be older, or of another person. */
  async function restoreState({ item }: Entry): Promise<void> {
    const now = await findItem(item.file);
    if (now) await writeState({ ...now, item }, stateOf(item, await clockOffset()));
  }

  async function refresh(changes: FolderChange[]): Promise<void> {
    await waitForScan();
    const refreshed: Entry[] = [];
    for (const { path, change } of changes) if (change === 'Metadata') refreshed.push(...(await refreshItem(path)));
    // Kodi finds new shows, and cleans, only from a folder whose content is set: that of the view or of a source around it.
    const sources = (await libraries()).flatMap(({ folders }) => folders);
    const around = (root: string) => [root, ...sources.filter((folder) => isInside(root, folder))].map(asFolder);
    const scanned = new Set(changes.flatMap(({ root }) => around(root)));
    // Jobs run one after the other, so metadata are read when the last scan is over.
    for (const directory of scanned) await run('Scan', { directory, showdialogs: false });
    await waitForScan();
    for (const entry of refreshed) await restoreState(entry);
    const mayBeGone = changes.filter(({ change }) => change === 'Modified' || change === 'Deleted');
    for (const directory of new Set(mayBeGone.flatMap(({ root }) => around(root))))
      for (const { content } of types) {
        await run('Clean', { content, directory, showdialogs: false });
        await waitForScan();
      }
  }

  return {
    async identify() {
      const { version } = await call(About, 'Application.GetProperties', { properties: ['version'] });
      const text = `${version.major}.${version.minor}`;
      if (version.major < oldestVersion)
        throw new MediaServerError(message('media-server.too-old', { version: text, oldest: oldestVersion }), 'unavailable');
      return { name: (await labels('System.FriendlyName'))['System.FriendlyName'] ?? server, version: text };
    },

    libraries,

    /** The profile that is logged in: Kodi returns the state of no other. */
    users: async () => [{ id: 'profile', name: (await call(Profile, 'Profiles.GetCurrentProfile')).label }],

    refresh,

    async *items(library, _, pageSize) {
      const offset = await clockOffset();
      for (const folder of library.folders)
        for (const type of types)
          for (let start = 0; ; start += pageSize) {
            const entries = await listItems(type, [pathRule(folder)], { start, end: start + pageSize });
            if (entries.length > 0)
              yield entries.map(({ item }): RemoteItem => ({
                id: item.file, // ids change with each refresh
                title: item.title ?? item.file,
                paths: [item.file],
                youtubeId: item.uniqueid?.['youtube'] ?? null,
                isFavorite: false,
                ...stateOf(item, offset),
              }));
            if (entries.length < pageSize) break;
          }
    },

    async setState(_, { id }, state) {
      const gone = () => new MediaServerError(message('media-server.item-gone'), 'other', 404);
      const entry = await findItem(id);
      if (!entry) throw gone();
      await writeState(entry, state);
      const written = await findItem(id);
      if (!written) throw gone();
      return stateOf(written.item, await clockOffset());
    },

    playlists: null,
  };
}
