import { createFakeContent, startFake, stateOf, type FakeItem, type FakeLibrary } from './http.ts';

// Written from https://kodi.wiki/view/JSON-RPC_API/v13 and the answers of Kodi 20.1.

interface Call {
  jsonrpc: string;
  id: number;
  method: string;
  params: Record<string, unknown>;
}
interface Rule {
  field: string;
  operator: string;
  value: string;
}

/** Starts a fake Kodi. Its local time is two hours ahead of UTC. */
export async function startKodi({ token = 'kodi:secret token' }: { token?: string } = {}) {
  const content = createFakeContent();
  const userId = 'profile';
  const settings = { token, version: 20, hoursAhead: 2 };
  const updates: { path: string; method: string }[] = [];
  /** What NFO files say: an item that is refreshed gets it, with a new id. */
  const metadata = new Map<string, { title: string }>();
  let busy = 0;

  const localTime = (seconds: number) =>
    new Date((seconds + settings.hoursAhead * 3600) * 1000).toISOString().slice(0, 19).replace('T', ' ');
  const kindOf = (library: FakeLibrary) => (library.type === 'movie' ? 'movie' : 'episode');
  const details = (item: FakeItem, kind: string) => {
    const { isWatched, positionSeconds, playedAt } = stateOf(item, userId);
    return {
      [`${kind}id`]: Number(item.id),
      label: item.title,
      title: item.title,
      file: item.path,
      playcount: isWatched ? 1 : 0,
      lastplayed: playedAt === null ? '' : localTime(playedAt),
      resume: { position: positionSeconds, total: positionSeconds > 0 ? 3600 : 0 },
      ...(item.youtubeId && { uniqueid: { youtube: item.youtubeId } }),
    };
  };
  const isMatch = (path: string, { field, operator, value }: Rule) => {
    const end = path.lastIndexOf('/') + 1;
    if (operator !== 'startswith' || !['path', 'filename'].includes(field)) throw new Error(`unknown rule ${field} ${operator}`);
    return (field === 'path' ? path.slice(0, end) : path.slice(end)).startsWith(value);
  };

  function list(kind: string, params: Call['params']) {
    const { filter, limits = {} } = params as { filter: { and: Rule[] }; limits?: { start?: number; end?: number } };
    const all = content.libraries
      .filter((library) => kindOf(library) === kind)
      .flatMap(({ items }) => items)
      .filter(({ path }) => filter.and.every((rule) => isMatch(path, rule)));
    const page = all.slice(limits.start ?? 0, limits.end);
    return {
      limits: { start: limits.start ?? 0, end: page.length, total: all.length },
      // An empty list is left out.
      ...(page.length > 0 && { [`${kind}s`]: page.map((item) => details(item, kind)) }),
    };
  }

  function write(kind: string, params: Call['params']): string | undefined {
    const item = content.findItem(String(params[`${kind}id`]));
    if (!item) return undefined;
    const { playcount, resume, lastplayed } = params as {
      playcount: number;
      resume: { position: number };
      lastplayed?: string;
    };
    Object.assign(stateOf(item, userId), {
      isWatched: playcount > 0,
      positionSeconds: resume.position,
      ...(lastplayed && { playedAt: Date.parse(`${lastplayed.replace(' ', 'T')}Z`) / 1000 - settings.hoursAhead * 3600 }),
    });
    return 'OK';
  }

  function refresh(kind: string, params: Call['params']): string | undefined {
    const item = content.findItem(String(params[`${kind}id`]));
    if (!item) return undefined;
    updates.push({ method: 'Refresh', path: item.path });
    Object.assign(item, metadata.get(item.path), { id: String(Number(item.id) + 100_000) });
    // As an NFO file without a watch state does.
    Object.assign(stateOf(item, userId), { isWatched: false, playedAt: null });
    return 'OK';
  }

  function answer({ method, params }: Call): unknown {
    switch (method) {
      case 'Application.GetProperties':
        return { version: { major: settings.version, minor: 1, revision: '20230312', tag: 'stable' } };
      case 'XBMC.GetInfoLabels': {
        const [date, time] = localTime(Date.now() / 1000).split(' ');
        const known = { 'System.FriendlyName': 'Living room', 'System.Date(yyyy-mm-dd)': date, 'System.Time(hh:mm:ss)': time };
        return Object.fromEntries((params['labels'] as (keyof typeof known)[]).map((label) => [label, known[label]]));
      }
      case 'XBMC.GetInfoBooleans':
        return Object.fromEntries((params['booleans'] as string[]).map((name) => [name, busy-- > 0]));
      case 'Profiles.GetCurrentProfile':
        return { label: 'Master user' };
      case 'Files.GetSources':
        return {
          limits: {},
          sources: content.libraries.map(({ name, folders }) => ({
            label: name,
            file:
              folders.length === 1
                ? `${folders[0]}/`
                : `multipath://${folders.map((folder) => `${encodeURIComponent(folder)}/`).join('')}`,
          })),
        };
      case 'VideoLibrary.Scan':
      case 'VideoLibrary.Clean':
        // Kodi ignores one that comes during another.
        if (busy > 0 && method.endsWith('Clean')) return 'OK';
        busy = 1;
        updates.push({
          method: [method.split('.')[1], params['content']].filter(Boolean).join(' '),
          path: String(params['directory']),
        });
        return 'OK';
    }
    const [, action, name, plural] = /^VideoLibrary\.(Get|Set|Refresh)(Episode|Movie|MusicVideo)(s|Details|)$/.exec(method) ?? [];
    const kind = name?.toLowerCase();
    if (action === 'Get' && plural === 's') return list(kind!, params);
    if (action === 'Set' && plural === 'Details') return write(kind!, params);
    if (action === 'Refresh') return refresh(kind!, params);
    return undefined;
  }

  const fake = await startFake(({ method, path, headers, body }) => {
    if (settings.token !== '' && headers.authorization !== `Basic ${Buffer.from(settings.token).toString('base64')}`)
      return { status: 401, headers: { 'www-authenticate': 'Basic realm="Kodi"' } };
    if (path !== '/jsonrpc' || method !== 'POST' || !headers['content-type']?.startsWith('application/json')) return undefined;
    const call = body as Call;
    const result = answer(call);
    return {
      json: {
        id: call.id,
        jsonrpc: '2.0',
        ...(result === undefined ? { error: { code: -32602, message: 'Invalid params.' } } : { result }),
      },
    };
  });
  return {
    ...fake,
    ...content,
    updates,
    metadata,
    settings,
    userId,
    /** Returns the methods that were called, and forgets them. */
    takeCalls: () => fake.requests.splice(0).map(({ body }) => (body as Call).method),
  };
}
