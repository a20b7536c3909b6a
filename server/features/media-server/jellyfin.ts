import { z } from 'zod';
import { chunks } from '../../platform/db/db.ts';
import type { Library, MediaServerClient, PlaylistItem, RemoteItem, RemotePerson, RemoteState } from './client.ts';
import { MediaServerError, invalidResponse, type Connection, type Kind, type ServerRequest } from './connection.ts';

// Jellyfin (https://api.jellyfin.org) and Emby (https://dev.emby.media/reference/RestAPI.html), which have the same origin.

const PublicInfo = z.object({ ServerName: z.string(), Version: z.string(), ProductName: z.string().nullish() });
const Info = z.object({ ServerName: z.string(), Version: z.string() });
const VirtualFolders = z.array(z.object({ Name: z.string(), ItemId: z.string(), Locations: z.array(z.string()).nullish() }));
const Users = z.array(z.object({ Id: z.string(), Name: z.string() }));
const UserData = z.object({
  Played: z.boolean(),
  PlaybackPositionTicks: z.number().nonnegative(),
  LastPlayedDate: z.string().nullish(),
  IsFavorite: z.boolean().nullish(),
});
const Item = z.object({
  Id: z.string(),
  Name: z.string().nullish(),
  Path: z.string().nullish(),
  ProviderIds: z.record(z.string(), z.string().nullable()).nullish(),
  UserData: UserData.nullish(),
});
const Items = z.object({ Items: z.array(Item), TotalRecordCount: z.number() });
const PlaylistItems = z.object({ Items: z.array(z.object({ Id: z.string(), PlaylistItemId: z.string() })) });
const Created = z.object({ Id: z.string() });

const ticksPerSecond = 10_000_000;
const itemTypes = 'Episode,Movie,Video,MusicVideo';
// Ids in an address: about 4 kB.
const idsPerRequest = 100;
const maxEntries = 10_000;

const secondsOf = (date: string | null | undefined) => {
  const at = date ? Date.parse(date) / 1000 : Number.NaN;
  return Number.isFinite(at) && at > 0 ? Math.floor(at) : null;
};

const stateOf = (data: z.infer<typeof UserData> | null | undefined): RemoteState => ({
  isWatched: data?.Played ?? false,
  positionSeconds: Math.floor((data?.PlaybackPositionTicks ?? 0) / ticksPerSecond),
  playedAt: secondsOf(data?.LastPlayedDate),
});

const itemOf = ({ Id, Name, Path, ProviderIds, UserData: data }: z.infer<typeof Item>): RemoteItem => ({
  id: Id,
  title: Name ?? Id,
  paths: Path ? [Path] : [],
  youtubeId: Object.entries(ProviderIds ?? {}).find(([name]) => name.toLowerCase() === 'youtube')?.[1] ?? null,
  isFavorite: data?.IsFavorite ?? false,
  ...stateOf(data),
});

/** Date of a mark as the server parses it: Emby documents `yyyyMMddHHmmss`. */
const dateOf = (kind: Kind, at: number) => {
  const text = new Date(at * 1000).toISOString();
  return kind === 'emby' ? text.slice(0, 19).replaceAll(/\D/g, '') : text;
};

interface Options {
  address: string;
  token: string;
  kind: Exclude<Kind, 'plex' | 'kodi'>;
}

export function createJellyfinClient(connection: Connection, { address, token, kind }: Options): MediaServerClient {
  const headers: Record<string, string> =
    kind === 'emby'
      ? { 'x-emby-token': token }
      : {
          authorization: `MediaBrowser Client="Reelkeep", Device="Reelkeep", DeviceId="reelkeep", Version="1", Token="${token}"`,
        };
  const send = (request: ServerRequest) => connection.ask({ ...request, headers });

  async function read<T>(shape: z.ZodType<T>, request: ServerRequest): Promise<T> {
    const result = shape.safeParse(await send(request));
    if (!result.success) throw invalidResponse(new URL(address).host, kind);
    return result.data;
  }

  const write = (request: ServerRequest) => send({ ...request, ignoresBody: true }).then(() => undefined);
  const entry = encodeURIComponent;

  async function setState({ userId }: RemotePerson, item: RemoteItem, state: RemoteState): Promise<RemoteState> {
    const user = entry(userId);
    const id = entry(item.id);
    let current: RemoteState = item;
    /** Emby does not return the state. */
    const apply = async (request: ServerRequest, expected: RemoteState) => {
      const returned = UserData.safeParse(await send(request));
      current = returned.success ? stateOf(returned.data) : expected;
    };
    if (item.isWatched !== state.isWatched)
      await apply(
        {
          method: state.isWatched ? 'POST' : 'DELETE',
          path: `Users/${user}/PlayedItems/${id}`,
          ...(state.isWatched && state.playedAt !== null && { query: { DatePlayed: dateOf(kind, state.playedAt) } }),
        },
        { ...state, positionSeconds: 0 },
      );
    if (current.positionSeconds !== state.positionSeconds)
      await apply(
        {
          method: 'POST',
          path: `Users/${user}/Items/${id}/UserData`,
          body: {
            PlaybackPositionTicks: state.positionSeconds * ticksPerSecond,
            Played: state.isWatched,
            // The order of “Continue watching”.
            ...(state.playedAt !== null && { LastPlayedDate: new Date(state.playedAt * 1000).toISOString() }),
            // Emby resets what is absent.
            ...(kind === 'emby' && { IsFavorite: item.isFavorite }),
          },
        },
        state,
      );
    return current;
  }

  async function playlistItems({ userId }: RemotePerson, id: string): Promise<PlaylistItem[] | null> {
    try {
      const { Items: items } = await read(PlaylistItems, {
        path: `Playlists/${entry(id)}/Items`,
        query: { UserId: userId, Limit: maxEntries },
      });
      return items.map(({ Id, PlaylistItemId }) => ({ itemId: Id, entryId: PlaylistItemId }));
    } catch (error) {
      if (error instanceof MediaServerError && error.status === 404) return null;
      throw error;
    }
  }

  async function addItems({ userId }: RemotePerson, id: string, itemIds: string[]): Promise<void> {
    for (const ids of chunks(itemIds, idsPerRequest))
      await write({ method: 'POST', path: `Playlists/${entry(id)}/Items`, query: { Ids: ids.join(','), UserId: userId } });
  }

  return {
    async identify() {
      const about = await read(PublicInfo, { path: 'System/Info/Public' });
      if (/jellyfin/i.test(about.ProductName ?? '') !== (kind === 'jellyfin')) throw invalidResponse(new URL(address).host, kind);
      const { ServerName, Version } = await read(Info, { path: 'System/Info' });
      return { name: ServerName, version: Version };
    },

    async libraries() {
      const folders = await read(VirtualFolders, { path: 'Library/VirtualFolders' });
      return folders.map(({ Name, ItemId, Locations }): Library => ({
        id: ItemId,
        name: Name,
        folders: Locations ?? [],
        itemTypes: [],
      }));
    },

    users: async () => (await read(Users, { path: 'Users' })).map(({ Id, Name }) => ({ id: Id, name: Name })),

    refresh: (changes) =>
      write({
        method: 'POST',
        path: 'Library/Media/Updated',
        body: { Updates: changes.map(({ path, change }) => ({ Path: path, UpdateType: change })) },
      }),

    async *items(library, { userId }, pageSize) {
      for (let start = 0; ;) {
        const { Items: items, TotalRecordCount } = await read(Items, {
          path: `Users/${entry(userId)}/Items`,
          query: {
            ParentId: library.id,
            Recursive: true,
            IncludeItemTypes: itemTypes,
            Fields: 'Path,ProviderIds',
            EnableImages: false,
            SortBy: 'SortName',
            SortOrder: 'Ascending',
            StartIndex: start,
            Limit: pageSize,
          },
        });
        if (items.length > 0) yield items.map(itemOf);
        start += items.length;
        if (items.length === 0 || start >= TotalRecordCount) return;
      }
    },

    setState,

    playlists: {
      async createPlaylist({ userId }, name, itemIds) {
        const about = { Name: name, UserId: userId, MediaType: 'Video' };
        const [first = []] = chunks(itemIds, idsPerRequest);
        const { Id } = await read(
          Created,
          kind === 'emby'
            ? { method: 'POST', path: 'Playlists', query: { ...about, Ids: first.join(',') } }
            : { method: 'POST', path: 'Playlists', body: { ...about, Ids: first, IsPublic: false } },
        );
        await addItems({ userId, token: null }, Id, itemIds.slice(first.length));
        return Id;
      },

      playlistItems,
      addItems,

      async removeItems(_, id, entryIds) {
        for (const ids of chunks(entryIds, idsPerRequest))
          await write({ method: 'DELETE', path: `Playlists/${entry(id)}/Items`, query: { EntryIds: ids.join(',') } });
      },

      moveItem: (_, id, entryId, { index }) =>
        write({ method: 'POST', path: `Playlists/${entry(id)}/Items/${entry(entryId)}/Move/${index}` }),

      async renamePlaylist({ userId }, id, name) {
        if (kind === 'jellyfin') return write({ method: 'POST', path: `Playlists/${entry(id)}`, body: { Name: name } });
        // Emby replaces all metadata of the item.
        const item = await read(z.looseObject({ Id: z.string() }), { path: `Users/${entry(userId)}/Items/${entry(id)}` });
        return write({ method: 'POST', path: `Items/${entry(id)}`, body: { ...item, Name: name } });
      },

      async deletePlaylist(_, id) {
        await write({ method: 'DELETE', path: `Items/${entry(id)}` }).catch((error: unknown) => {
          if (!(error instanceof MediaServerError) || error.status !== 404) throw error;
        });
      },
    },
  };
}
