import { createFakeContent, newFakeId, startFake, stateOf, type FakeItem, type FakeReply, type FakeRequest } from './http.ts';

// Written from https://developer.plex.tv/pms/ and https://www.plexopedia.com/plex-media-server/api/.

const identifier = 'com.plexapp.plugins.library';
const machineIdentifier = '0123456789abcdef';

/** Starts a fake Plex Media Server. Each token has its own watch state and playlists. */
export async function startPlex({ token = 'secret-token' }: { token?: string } = {}) {
  const content = createFakeContent();
  const accounts = [
    { id: 0, name: '' },
    { id: 1, name: 'Ann' },
    { id: 2, name: 'Bob' },
  ];
  const updates: { section: string; path: string }[] = [];
  const settings = { token, tokenOfBob: 'token-of-bob' };
  const userOf = ({ headers }: FakeRequest) =>
    new Map([
      [settings.token, '1'],
      [settings.tokenOfBob, '2'],
    ]).get(String(headers['x-plex-token']));

  const metadata = (item: FakeItem, user: string) => {
    const { isWatched, positionSeconds, playedAt } = stateOf(item, user);
    return {
      ratingKey: item.id,
      key: `/library/metadata/${item.id}`,
      guid: item.youtubeId ? `com.plexapp.agents.youtube://UCx|${item.youtubeId}?lang=xn` : `local://${item.id}`,
      title: item.title,
      ...(isWatched && { viewCount: 1 }),
      ...(positionSeconds > 0 && { viewOffset: positionSeconds * 1000 }),
      ...(playedAt !== null && { lastViewedAt: playedAt }),
      Media: [{ id: 1, Part: [{ id: 2, file: item.path }] }],
    };
  };
  const now = () => Math.floor(Date.now() / 1000);

  /** Returns the ids of an address of items; null if it is not one of this server. */
  function idsOf(uri: string | undefined): string[] | null {
    const prefix = `server://${machineIdentifier}/${identifier}/library/metadata/`;
    if (!uri?.startsWith(prefix)) return null;
    const ids = uri.slice(prefix.length).split(',');
    return ids.every((id) => content.findItem(id)) ? ids : null;
  }
  const entriesOf = (ids: string[]) => ids.map((itemId) => ({ itemId, entryId: newFakeId() }));

  function feedback({ method, path, query }: FakeRequest, user: string): FakeReply {
    if (method !== 'PUT' || query['identifier'] !== identifier || !query['key']) return 400;
    const item = content.findItem(query['key']);
    if (!item) return 404;
    const state = stateOf(item, user);
    if (path === '/:/scrobble') Object.assign(state, { isWatched: true, positionSeconds: 0, playedAt: now() });
    else if (path === '/:/unscrobble') Object.assign(state, { isWatched: false, positionSeconds: 0, playedAt: null });
    else {
      const time = Number(query['time']);
      if (!Number.isInteger(time) || query['state'] !== 'stopped') return 400;
      // The first minute is ignored.
      if (time > 60_000) Object.assign(state, { positionSeconds: Math.floor(time / 1000), playedAt: now() });
    }
    return 200;
  }

  function playlists({ method, path, query }: FakeRequest, user: string): FakeReply {
    const [, , id, part, entryId, action] = path.split('/');
    const container = (playlist: { id: string; name: string }) => ({
      json: { MediaContainer: { size: 1, Metadata: [{ ratingKey: playlist.id, title: playlist.name, smart: false }] } },
    });
    if (id === undefined) {
      const ids = idsOf(query['uri']);
      if (method !== 'POST' || query['type'] !== 'video' || query['smart'] !== '0' || !query['title'] || !ids) return 400;
      const playlist = { id: newFakeId(), name: query['title'], user, entries: entriesOf(ids) };
      content.playlists.push(playlist);
      return container(playlist);
    }
    const playlist = content.playlists.find((one) => one.id === id && one.user === user);
    if (!playlist) return 404;
    if (part === undefined) {
      if (method === 'DELETE') {
        content.playlists.splice(content.playlists.indexOf(playlist), 1);
        return 204;
      }
      if (method !== 'PUT' || !query['title']) return 400;
      playlist.name = query['title'];
      return 200;
    }
    if (entryId === undefined) {
      if (method === 'GET')
        return {
          json: {
            MediaContainer: {
              size: playlist.entries.length,
              totalSize: playlist.entries.length,
              ...(playlist.entries.length > 0 && {
                Metadata: playlist.entries.map((entry) => ({
                  ratingKey: entry.itemId,
                  playlistItemID: Number(entry.entryId),
                })),
              }),
            },
          },
        };
      const ids = idsOf(query['uri']);
      if (method !== 'PUT' || !ids) return 400;
      playlist.entries.push(...entriesOf(ids));
      return container(playlist);
    }
    const from = playlist.entries.findIndex((entry) => entry.entryId === entryId);
    if (from < 0) return 404;
    if (method === 'DELETE' && action === undefined) {
      playlist.entries.splice(from, 1);
      return container(playlist);
    }
    if (method !== 'PUT' || action !== 'move') return 400;
    const [entry] = playlist.entries.splice(from, 1);
    const after = query['after'] === undefined ? -1 : playlist.entries.findIndex((one) => one.entryId === query['after']);
    if (query['after'] !== undefined && after < 0) return 400;
    playlist.entries.splice(after + 1, 0, entry!);
    return container(playlist);
  }

  const fake = await startFake((request) => {
    const { method, path, query, headers } = request;
    if (headers.accept !== 'application/json') return 406; // the real one would send XML
    if (path === '/identity') return { json: { MediaContainer: { size: 0, machineIdentifier, version: '1.41.3' } } };
    const user = userOf(request);
    const isKnown = /^\/($|accounts|library|playlists|:)/.test(path);
    if (isKnown && user === undefined) return 401;
    if (user === undefined) return undefined;
    if (!headers['x-plex-client-identifier']) return 400;
    if (path === '/') return { json: { MediaContainer: { friendlyName: 'Living room', machineIdentifier, version: '1.41.3' } } };
    if (path === '/accounts') return { json: { MediaContainer: { size: 3, Account: accounts } } };
    if (path === '/library/sections' && method === 'GET')
      return {
        json: {
          MediaContainer: {
            size: content.libraries.length,
            Directory: content.libraries.map(({ id, name, folders, type }) => ({
              key: id,
              title: name,
              type: type === 'tvshows' ? 'show' : type,
              Location: folders.map((folder, index) => ({ id: index, path: folder })),
            })),
          },
        },
      };
    const section = /^\/library\/sections\/(\d+)\/(all|refresh)$/.exec(path);
    if (section && method === 'GET') {
      const library = content.libraries.find(({ id }) => id === section[1]);
      if (!library) return 404;
      if (section[2] === 'refresh') {
        if (!query['path'] || !library.folders.some((folder) => `${query['path']}/`.startsWith(`${folder}/`))) return 400;
        updates.push({ section: library.name, path: query['path'] });
        return 200;
      }
      const wanted = library.type === 'movie' ? '1' : '4';
      if (query['type'] !== wanted) return 400;
      const [start, size] = [Number(headers['x-plex-container-start']), Number(headers['x-plex-container-size'])];
      if (!Number.isInteger(start) || !Number.isInteger(size)) return 400;
      const page = library.items.slice(start, start + size);
      return {
        json: {
          MediaContainer: {
            size: page.length,
            totalSize: library.items.length,
            offset: start,
            ...(page.length > 0 && { Metadata: page.map((item) => metadata(item, user)) }),
          },
        },
      };
    }
    const id = /^\/library\/metadata\/(\d+)$/.exec(path)?.[1];
    if (id && method === 'GET') {
      const item = content.findItem(id);
      return item ? { json: { MediaContainer: { size: 1, Metadata: [metadata(item, user)] } } } : 404;
    }
    if (/^\/:\/(scrobble|unscrobble|progress)$/.test(path)) return feedback(request, user);
    if (/^\/playlists(\/|$)/.test(path)) return playlists(request, user);
    return undefined;
  });
  return { ...fake, ...content, updates, settings, userId: '1' };
}
