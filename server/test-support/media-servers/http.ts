import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeRequest {
  method: string;
  /** Path and decoded query. */
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** A response: a status, JSON with 200, or a status with JSON. Undefined: 404. */
export type FakeReply = number | { status?: number; json?: unknown; headers?: Record<string, string> } | undefined;

/** How the server fails: for every request, or for those whose method and path match. */
export type Fault =
  | { kind: 'status'; status: number }
  | { kind: 'html' }
  | { kind: 'half' }
  | { kind: 'huge' }
  | { kind: 'cut' }
  | { kind: 'silent' }
  | { kind: 'redirect' };

/**
 * Starts a server on loopback that records its requests. A request that `answer` does not know or rejects gets the 4xx of the real
 * server, and is listed in `rejected`, so that tests see requests that the real one would refuse.
 */
export async function startFake(answer: (request: FakeRequest) => FakeReply) {
  const requests: FakeRequest[] = [];
  const rejected: string[] = [];
  const faults: { pattern: RegExp; fault: Fault }[] = [];
  let before: (() => Promise<void>) | undefined;
  let isRejectionExpected: (line: string) => boolean = () => false;

  function fail(fault: Fault, response: ServerResponse) {
    switch (fault.kind) {
      case 'status':
        return response.writeHead(fault.status, { 'content-type': 'text/plain' }).end('Error processing request.');
      case 'html':
        return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Router login</title>');
      case 'half':
        return response.writeHead(200, { 'content-type': 'application/json' }).end('{"Items":[{"Id":');
      case 'huge': {
        response.writeHead(200, { 'content-type': 'application/json' });
        const piece = ' '.repeat(1_000_000);
        const more = () => {
          while (response.writable && !response.destroyed) if (!response.write(piece)) return void response.once('drain', more);
        };
        return more();
      }
      case 'cut':
        return response.socket?.destroy();
      case 'silent':
        return undefined;
      case 'redirect':
        return response.writeHead(302, { location: 'https://elsewhere.example/' }).end();
    }
  }

  const server: Server = createServer(async (request, response) => {
    const url = new URL(request.url!, 'http://fake');
    let text = '';
    for await (const part of request) text += part;
    const line = `${request.method} ${url.pathname}`;
    const received: FakeRequest = {
      method: request.method!,
      path: decodeURIComponent(url.pathname),
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
    requests.push(received);
    const work = before;
    before = undefined;
    await work?.();
    const fault = faults.find(({ pattern }) => pattern.test(`${line}${url.search}`))?.fault;
    if (fault) return void fail(fault, response);
    const reply = answer(received) ?? 404;
    const { status = 200, json, headers } = typeof reply === 'number' ? { status: reply } : reply;
    if (status >= 400 && !isRejectionExpected(line)) rejected.push(`${status} ${line}${url.search} ${text}`);
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(json === undefined ? '' : JSON.stringify(json));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** Requests that the real server would refuse. */
    rejected,
    expectRejections: (pattern: RegExp) => {
      isRejectionExpected = (line) => pattern.test(line);
    },
    /** Runs before the next response. */
    beforeNext: (work: () => Promise<void>) => {
      before = work;
    },
    /** Lets requests fail until `heal`. The pattern is compared with `GET /path?query`. */
    fail: (fault: Fault, pattern = /./) => void faults.push({ pattern, fault }),
    heal: () => void faults.splice(0),
    /** Returns the recorded requests as `METHOD /path`, and forgets them. */
    take: () => requests.splice(0).map(({ method, path }) => `${method} ${path}`),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

let counter = 0;
export const newFakeId = () => String(++counter + 1000);

/** An item of a library, with the watch state of each user. */
export interface FakeItem {
  id: string;
  title: string;
  path: string;
  /** Provider id or guid. */
  youtubeId?: string;
  states: Map<string, FakeState>;
}

export interface FakeState {
  isWatched: boolean;
  positionSeconds: number;
  /** Epoch seconds. */
  playedAt: number | null;
  isFavorite?: boolean;
}

export interface FakeLibrary {
  id: string;
  name: string;
  folders: string[];
  type: string;
  items: FakeItem[];
}

export interface FakePlaylist {
  id: string;
  name: string;
  user: string;
  entries: { entryId: string; itemId: string }[];
}

export const stateOf = ({ states }: FakeItem, user: string): FakeState => {
  const state = states.get(user) ?? { isWatched: false, positionSeconds: 0, playedAt: null };
  states.set(user, state);
  return state;
};

/** What a test sees and changes of a server. */
export function createFakeContent() {
  const libraries: FakeLibrary[] = [];
  const playlists: FakePlaylist[] = [];
  const items = () => libraries.flatMap((library) => library.items);
  return {
    libraries,
    playlists,
    items,
    findItem: (id: string) => items().find((item) => item.id === id),
    addLibrary(name: string, folder: string, type = 'tvshows'): FakeLibrary {
      const library = { id: newFakeId(), name, folders: [folder], type, items: [] };
      libraries.push(library);
      return library;
    },
    addItem(library: FakeLibrary, path: string, more: Partial<FakeItem> = {}): FakeItem {
      const item = { id: newFakeId(), title: path.split('/').at(-1)!, path, states: new Map(), ...more };
      library.items.push(item);
      return item;
    },
  };
}
