import { createFakeContent, newFakeId, startFake, stateOf, type FakeItem, type FakeReply, type FakeRequest } from './http.ts';

// Written from https://api.jellyfin.org (10.10) and https://dev.emby.media/reference/RestAPI.html. What API keys of Jellyfin may not
// do with playlists is from jellyfin/jellyfin issues 12999, 13476 and 15600.

const ticks = 10_000_000;

interface Options {
  kind: 'jellyfin' | 'emby';
  token?: string;
  /** An API key, which belongs to no user. Default: the token of an administrator. */
  isApiKey?: boolean;
}

/** Starts a fake Jellyfin or Emby server. */
export async function startJellyfin({ kind, token = 'secret-token', isApiKey = false }: Options) {
  const content = createFakeContent();
  const users = [
    { Id: 'aaaa', Name: 'Ann' },
    { Id: 'bbbb', Name: 'Bob' },
  ];
  const updates: { Path: string; UpdateType: string }[] = [];
  const settings = { token, version: kind === 'jellyfin' ? '10.10.7' : '4.8.11.0' };

  const isAuthorized = ({ headers }: FakeRequest) =>
    kind === 'jellyfin'
      ? /^MediaBrowser .*\bToken="([^"]*)"/.exec(headers.authorization ?? '')?.[1] === settings.token
      : headers['x-emby-token'] === settings.token;

  const userData = (item: FakeItem, user: string) => {
    const { isWatched, positionSeconds, playedAt, isFavorite = false } = stateOf(item, user);
    return {
      PlaybackPositionTicks: positionSeconds * ticks,
      PlayCount: isWatched ? 1 : 0,
      IsFavorite: isFavorite,
      Played: isWatched,
      Key: item.id,
      ...(playedAt !== null && { LastPlayedDate: new Date(playedAt * 1000).toISOString() }),
    };
  };
  const itemOf = (item: FakeItem, user: string) => ({
    Name: item.title,
    Id: item.id,
    Path: item.path,
    ProviderIds: item.youtubeId ? { Youtube: item.youtubeId } : {},
    Type: 'Episode',
    UserData: userData(item, user),
  });
  // Since 10.9 an entry has the id of its item.
  const entryIdOf = (itemId: string) => (kind === 'jellyfin' ? itemId : newFakeId());

  function items({ query, path }: FakeRequest): FakeReply {
    const user = path.split('/')[2]!;
    const library = content.libraries.find(({ id }) => id === query['ParentId']);
    const isComplete =
      query['Recursive'] === 'true' &&
      query['Fields'] === 'Path,ProviderIds' &&
      query['IncludeItemTypes'] === 'Episode,Movie,Video,MusicVideo' &&
      query['SortBy'] === 'SortName';
    if (!users.some(({ Id }) => Id === user) || !library) return 404;
    if (!isComplete) return 400;
    const [start, limit] = [Number(query['StartIndex']), Number(query['Limit'])];
    if (!Number.isInteger(start) || !Number.isInteger(limit) || limit < 1) return 400;
    const page = library.items.slice(start, start + limit);
    return { json: { Items: page.map((item) => itemOf(item, user)), TotalRecordCount: library.items.length, StartIndex: start } };
  }

  function played({ method, query, path }: FakeRequest): FakeReply {
    const [, , user, , id] = path.split('/');
    const item = content.findItem(id!);
    if (!item) return 404;
    const date = query['DatePlayed'];
    const format = kind === 'emby' ? /^\d{14}$/ : /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
    if (date !== undefined && !format.test(date)) return 400;
    const iso = date?.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z');
    const at = iso ? Date.parse(iso) / 1000 : Math.floor(Date.now() / 1000);
    const isWatched = method === 'POST';
    Object.assign(stateOf(item, user!), { isWatched, positionSeconds: 0, playedAt: isWatched ? Math.floor(at) : null });
    return { json: userData(item, user!) };
  }

  function saveUserData({ path, body }: FakeRequest): FakeReply {
    const [, , user, , id] = path.split('/');
    const item = content.findItem(id!);
    if (!item) return 404;
    const { PlaybackPositionTicks, Played, IsFavorite, LastPlayedDate } = body as Record<string, unknown>;
    const playedAt = LastPlayedDate === undefined ? null : Date.parse(String(LastPlayedDate)) / 1000;
    if (!Number.isInteger(PlaybackPositionTicks) || typeof Played !== 'boolean' || Number.isNaN(playedAt)) return 400;
    const state = stateOf(item, user!);
    Object.assign(state, { positionSeconds: Math.floor(Number(PlaybackPositionTicks) / ticks), isWatched: Played });
    if (playedAt !== null) state.playedAt = playedAt;
    // Emby reads the whole object: what is absent is reset.
    if (kind === 'emby') state.isFavorite = IsFavorite === true;
    return kind === 'emby' ? 204 : { json: userData(item, user!) };
  }

  function playlists(request: FakeRequest): FakeReply {
    const { method, path, query, body } = request;
    const [, , id, , entryId, action, index] = path.split('/');
    const idsOf = (text: string | undefined) => (text ? text.split(',') : []);
    const entriesOf = (ids: string[]) =>
      ids.filter((one) => content.findItem(one)).map((itemId) => ({ itemId, entryId: entryIdOf(itemId) }));
    if (id === undefined) {
      if (method !== 'POST') return 405;
      const about = (kind === 'emby' ? query : (body ?? {})) as Record<string, unknown>;
      const { Name, UserId, MediaType, Ids } = about;
      const ids = kind === 'emby' ? idsOf(Ids as string) : Ids;
      if (typeof Name !== 'string' || MediaType !== 'Video' || !Array.isArray(ids)) return 400;
      if (!users.some((user) => user.Id === UserId)) return 400;
      const playlist = { id: newFakeId(), name: Name, user: String(UserId), entries: entriesOf(ids as string[]) };
      content.playlists.push(playlist);
      return { json: { Id: playlist.id } };
    }
    const playlist = content.playlists.find((one) => one.id === id);
    if (!path.includes('/Items')) {
      if (kind === 'emby' || method !== 'POST') return 404;
      if (isApiKey) return 400;
      if (!playlist) return 404;
      playlist.name = (body as { Name: string }).Name;
      return 204;
    }
    if (!playlist) return 404;
    if (entryId !== undefined) {
      if (method !== 'POST' || action !== 'Move') return 404;
      if (isApiKey) return 400;
      const from = playlist.entries.findIndex((entry) => entry.entryId === entryId);
      if (from < 0) return 404;
      // jellyfin/jellyfin issue 17066.
      if (Number(index) >= playlist.entries.length) return 500;
      const [entry] = playlist.entries.splice(from, 1);
      playlist.entries.splice(Number(index), 0, entry!);
      return 204;
    }
    if (method === 'GET') {
      if (query['UserId'] !== playlist.user) return 403;
      return {
        json: {
          Items: playlist.entries.map((entry) => ({ Id: entry.itemId, PlaylistItemId: entry.entryId })),
          TotalRecordCount: playlist.entries.length,
        },
      };
    }
    if (method === 'POST') {
      if (query['UserId'] !== playlist.user) return 403;
      playlist.entries.push(...entriesOf(idsOf(query['Ids'])));
      return 204;
    }
    if (isApiKey) return 400;
    const removed = idsOf(query['EntryIds']);
    playlist.entries = playlist.entries.filter((entry) => !removed.includes(entry.entryId));
    return 204;
  }

  /** Emby edits playlists as items. */
  function itemCalls({ method, path, body }: FakeRequest): FakeReply {
    const id = path.split('/')[2]!;
    const playlist = content.playlists.find((one) => one.id === id);
    if (!playlist) return 404;
    if (method === 'DELETE') {
      content.playlists.splice(content.playlists.indexOf(playlist), 1);
      return 204;
    }
    const { Id, Name, Type } = body as Record<string, unknown>;
    // An incomplete object would delete metadata.
    if (kind !== 'emby' || method !== 'POST' || Id !== id || Type !== 'Playlist') return 400;
    playlist.name = String(Name);
    return 204;
  }

  const fake = await startFake((request) => {
    const { method, path, body } = request;
    if (path === '/System/Info/Public' && method === 'GET')
      return {
        json: {
          ServerName: 'Living room',
          Version: settings.version,
          Id: 'f00',
          ...(kind === 'jellyfin' && { ProductName: 'Jellyfin Server', StartupWizardCompleted: true }),
        },
      };
    const isKnown = /^\/(System|Library|Users|Playlists|Items)(\/|$)/.test(path);
    if (isKnown && !isAuthorized(request)) return 401;
    if (path === '/System/Info') return { json: { ServerName: 'Living room', Version: settings.version } };
    if (path === '/Library/VirtualFolders')
      return {
        json: content.libraries.map(({ id, name, folders, type }) => ({
          Name: name,
          Locations: folders,
          CollectionType: type,
          ItemId: id,
        })),
      };
    if (path === '/Library/Media/Updated' && method === 'POST') {
      const { Updates } = body as { Updates?: typeof updates };
      const isValid = Updates?.every(({ Path, UpdateType }) => Path && ['Created', 'Modified', 'Deleted'].includes(UpdateType));
      if (!isValid) return 400;
      updates.push(...Updates!);
      return 204;
    }
    if (path === '/Users') return { json: users };
    if (/^\/Users\/[^/]+\/Items$/.test(path) && method === 'GET') return items(request);
    if (/^\/Users\/[^/]+\/PlayedItems\/[^/]+$/.test(path) && ['POST', 'DELETE'].includes(method)) return played(request);
    if (/^\/Users\/[^/]+\/Items\/[^/]+\/UserData$/.test(path) && method === 'POST') return saveUserData(request);
    const playlistItem = /^\/Users\/[^/]+\/Items\/([^/]+)$/.exec(path)?.[1];
    if (playlistItem && method === 'GET') {
      const playlist = content.playlists.find(({ id }) => id === playlistItem);
      return playlist ? { json: { Id: playlist.id, Name: playlist.name, Type: 'Playlist', Overview: 'kept' } } : 404;
    }
    if (/^\/Playlists(\/|$)/.test(path)) return playlists(request);
    if (/^\/Items\/[^/]+$/.test(path)) return itemCalls(request);
    return undefined;
  });
  return { ...fake, ...content, users, updates, settings, userId: 'aaaa' };
}
