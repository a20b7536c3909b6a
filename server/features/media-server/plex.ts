import { z } from 'zod';
import { chunks } from '../../platform/db/db.ts';
import type { Library, MediaServerClient, PlaylistItem, RemoteItem, RemotePerson, RemoteState } from './client.ts';
import { MediaServerError, invalidResponse, type Connection, type ServerRequest } from './connection.ts';
import { isInside } from './paths.ts';

// Plex Media Server (https://developer.plex.tv/pms/ and https://www.plexopedia.com/plex-media-server/api/).

const container = <T extends z.ZodRawShape>(shape: T) => z.object({ MediaContainer: z.object(shape) });
const Key = z.union([z.string(), z.number()]).transform(String);

const Identity = container({ machineIdentifier: z.string(), version: z.string() });
const Root = container({ machineIdentifier: z.string(), version: z.string(), friendlyName: z.string() });
const Sections = container({
  Directory: z
    .array(
      z.object({
        key: Key,
        title: z.string(),
        type: z.string(),
        Location: z.array(z.object({ path: z.string() })).nullish(),
      }),
    )
    .nullish(),
});
const Accounts = container({ Account: z.array(z.object({ id: Key, name: z.string() })).nullish() });
const Metadata = z.object({
  ratingKey: Key,
  title: z.string().nullish(),
  guid: z.string().nullish(),
  Guid: z.array(z.object({ id: z.string() })).nullish(),
  viewCount: z.number().nullish(),
  viewOffset: z.number().nonnegative().nullish(),
  lastViewedAt: z.number().nullish(),
  Media: z.array(z.object({ Part: z.array(z.object({ file: z.string().nullish() })).nullish() })).nullish(),
});
const Items = container({ totalSize: z.number().nullish(), Metadata: z.array(Metadata).nullish() });
const PlaylistItems = container({
  totalSize: z.number().nullish(),
  Metadata: z.array(z.object({ ratingKey: Key, playlistItemID: Key })).nullish(),
});
const Playlist = container({ Metadata: z.array(z.object({ ratingKey: Key })).min(1) });

// Types of items: https://developer.plex.tv/pms/
const [movieType, episodeType] = [1, 4];
const libraryTypes: Record<string, number[]> = { movie: [movieType], show: [episodeType] };
const identifier = 'com.plexapp.plugins.library';
const idsPerRequest = 100;
const maxEntries = 10_000;

const stateOf = (item: z.infer<typeof Metadata>): RemoteState => ({
  isWatched: (item.viewCount ?? 0) > 0,
  positionSeconds: Math.floor((item.viewOffset ?? 0) / 1000),
  playedAt: item.lastViewedAt ?? null,
});

const youtubeIdOf = ({ guid, Guid = [] }: z.infer<typeof Metadata>) =>
  [guid ?? '', ...(Guid ?? []).map(({ id }) => id)]
    .map((one) => /youtube:\/\/(?:[^/?]*[|/])?([\w-]{11})(?:$|[?/])/i.exec(one)?.[1])
    .find(Boolean) ?? null;

const itemOf = (item: z.infer<typeof Metadata>): RemoteItem => ({
  id: item.ratingKey,
  title: item.title ?? item.ratingKey,
  paths: (item.Media ?? []).flatMap(({ Part }) => (Part ?? []).flatMap(({ file }) => file ?? [])),
  youtubeId: youtubeIdOf(item),
  isFavorite: false,
  ...stateOf(item),
});

export function createPlexClient(
  connection: Connection,
  { address, token }: { address: string; token: string },
): MediaServerClient {
  const send = (request: ServerRequest, person?: RemotePerson) =>
    connection.ask({
      ...request,
      headers: {
        'x-plex-token': person?.token ?? token,
        'x-plex-client-identifier': 'reelkeep',
        'x-plex-product': 'Reelkeep',
        ...request.headers,
      },
    });
  const wrong = () => invalidResponse(new URL(address).host, 'plex');

  async function read<T>(shape: z.ZodType<T>, request: ServerRequest, person?: RemotePerson): Promise<T> {
    const result = shape.safeParse(await send(request, person));
    if (!result.success) throw wrong();
    return result.data;
  }
  const write = (request: ServerRequest, person?: RemotePerson) =>
    send({ ...request, ignoresBody: true }, person).then(() => undefined);
  const part = encodeURIComponent;

  /** The address of items in a playlist contains the id of the server. */
  async function uriOf(ids: string[]): Promise<string> {
    const { machineIdentifier } = (await read(Identity, { path: 'identity' })).MediaContainer;
    return `server://${machineIdentifier}/${identifier}/library/metadata/${ids.join(',')}`;
  }

  async function addItems(person: RemotePerson, id: string, itemIds: string[]): Promise<void> {
    for (const ids of chunks(itemIds, idsPerRequest))
      await write({ method: 'PUT', path: `playlists/${part(id)}/items`, query: { uri: await uriOf(ids) } }, person);
  }

  async function setState(person: RemotePerson, item: RemoteItem, state: RemoteState): Promise<RemoteState> {
    const mark = (isWatched: boolean) =>
      write({ method: 'PUT', path: isWatched ? ':/scrobble' : ':/unscrobble', query: { key: item.id, identifier } }, person);
    // Both also delete the position.
    if (item.isWatched !== state.isWatched || (state.positionSeconds === 0 && item.positionSeconds > 0))
      await mark(state.isWatched);
    if (state.positionSeconds > 0)
      await write(
        {
          method: 'PUT',
          path: ':/progress',
          query: { key: item.id, identifier, time: state.positionSeconds * 1000, state: 'stopped' },
        },
        person,
      );
    // Plex ignores positions in the first minute, and marks items as watched near the end.
    const { Metadata: found } = (await read(Items, { path: `library/metadata/${part(item.id)}` }, person)).MediaContainer;
    if (!found?.[0]) throw wrong();
    return stateOf(found[0]);
  }

  async function libraries(): Promise<Library[]> {
    const { Directory } = (await read(Sections, { path: 'library/sections' })).MediaContainer;
    return (Directory ?? []).map(({ key, title, type, Location }) => ({
      id: key,
      name: title,
      folders: (Location ?? []).map(({ path }) => path),
      itemTypes: libraryTypes[type] ?? [],
    }));
  }

  return {
    async identify() {
      await read(Identity, { path: 'identity' });
      const { friendlyName, version } = (await read(Root, { path: '' })).MediaContainer;
      return { name: friendlyName, version };
    },

    libraries,

    users: async () =>
      ((await read(Accounts, { path: 'accounts' })).MediaContainer.Account ?? [])
        // The account 0 is that of requests without a token.
        .filter(({ id, name }) => id !== '0' && name !== ''),

    async refresh(changes) {
      const sections = await libraries();
      for (const { path } of changes)
        for (const library of sections)
          if (library.folders.some((folder) => isInside(path, folder)))
            await write({ path: `library/sections/${part(library.id)}/refresh`, query: { path } });
    },

    async *items(library, person, pageSize) {
      for (const type of library.itemTypes)
        for (let start = 0; ;) {
          const { Metadata: items, totalSize } = (
            await read(
              Items,
              {
                path: `library/sections/${part(library.id)}/all`,
                query: { type, includeGuids: 1, sort: 'titleSort' },
                headers: { 'x-plex-container-start': String(start), 'x-plex-container-size': String(pageSize) },
              },
              person,
            )
          ).MediaContainer;
          const count = items?.length ?? 0;
          if (items && count > 0) yield items.map(itemOf);
          start += count;
          if (count === 0 || start >= (totalSize ?? start)) break;
        }
    },

    setState,

    playlists: {
      async createPlaylist(person, name, itemIds) {
        const [first = []] = chunks(itemIds, idsPerRequest);
        const created = await read(
          Playlist,
          { method: 'POST', path: 'playlists', query: { type: 'video', title: name, smart: 0, uri: await uriOf(first) } },
          person,
        );
        const id = created.MediaContainer.Metadata[0]!.ratingKey;
        await addItems(person, id, itemIds.slice(first.length));
        return id;
      },

      async playlistItems(person, id): Promise<PlaylistItem[] | null> {
        try {
          const { Metadata: items } = (
            await read(
              PlaylistItems,
              {
                path: `playlists/${part(id)}/items`,
                headers: { 'x-plex-container-start': '0', 'x-plex-container-size': String(maxEntries) },
              },
              person,
            )
          ).MediaContainer;
          return (items ?? []).map(({ ratingKey, playlistItemID }) => ({ itemId: ratingKey, entryId: playlistItemID }));
        } catch (error) {
          if (error instanceof MediaServerError && error.status === 404) return null;
          throw error;
        }
      },

      addItems,

      async removeItems(person, id, entryIds) {
        for (const entryId of entryIds)
          await write({ method: 'DELETE', path: `playlists/${part(id)}/items/${part(entryId)}` }, person);
      },

      moveItem: (person, id, entryId, { after }) =>
        write(
          {
            method: 'PUT',
            path: `playlists/${part(id)}/items/${part(entryId)}/move`,
            ...(after !== null && { query: { after } }),
          },
          person,
        ),

      renamePlaylist: (person, id, name) =>
        write({ method: 'PUT', path: `playlists/${part(id)}`, query: { title: name } }, person),

      async deletePlaylist(person, id) {
        await write({ method: 'DELETE', path: `playlists/${part(id)}` }, person).catch((error: unknown) => {
          if (!(error instanceof MediaServerError) || error.status !== 404) throw error;
        });
      },
    },
  };
}
