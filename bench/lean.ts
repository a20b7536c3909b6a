import net from 'node:net';

// Asks over HTTP and throws away what comes. What measures runs on the cores of what it measures: with node:http each piece of an answer
// is a block of its own, and to collect those four threads of V8 took both cores for 5 to 20 ms, some times a second.

const endOfHead = '\r\n\r\n';
const endOfChunks = '\r\n0\r\n\r\n';
/** What every connection reads into; it is looked at before the next one reads. */
const block = Buffer.allocUnsafeSlow(64 * 1024);

export interface Asked {
  method?: string;
  path: string;
  /** Without those of the body, and without Host. */
  headers: Record<string, string>;
  body?: string | undefined;
  /** When the first byte came. */
  onFirst?: (() => void) | undefined;
}
export interface Answered {
  status: number;
  /** Of the body. */
  bytes: number;
}

interface Connection {
  ask(asked: Asked): Promise<Answered>;
  end(): void;
}

function connect(host: string, port: number, whenOver: () => void): Connection {
  let current: { resolve(answered: Answered): void; reject(error: Error): void; onFirst?: Asked['onFirst'] } | undefined;
  let [head, tail] = ['', ''];
  let [status, bytes, size] = [0, 0, Number.NaN];
  let isInBody = false;

  const done = () => {
    const asked = current;
    current = undefined;
    asked?.resolve({ status, bytes });
  };
  const read = (count: number) => {
    let from = 0;
    if (!isInBody) {
      if (head === '') current?.onFirst?.();
      const before = head.length;
      head += block.toString('latin1', 0, count);
      const end = head.indexOf(endOfHead);
      if (end === -1) return;
      status = Number(head.slice(9, 12));
      const isEmpty = status === 204 || status === 304;
      size = isEmpty ? 0 : Number(/^content-length: *(\d+)/im.exec(head.slice(0, end))?.[1] ?? Number.NaN);
      [from, tail, bytes, isInBody] = [end + endOfHead.length - before, '\r\n', 0, true];
    }
    bytes += count - from;
    if (Number.isNaN(size)) {
      // In chunks. No JSON has such a line within.
      tail = (tail + block.toString('latin1', Math.max(from, count - endOfChunks.length), count)).slice(-endOfChunks.length);
      if (tail === endOfChunks) done();
    } else if (bytes >= size) done();
  };
  const onread = {
    buffer: block,
    callback: (count: number) => {
      read(count);
      return true;
    },
  };
  const socket = net.connect({ host, port, noDelay: true, onread });
  const fail = (error: Error) => {
    current?.reject(error);
    current = undefined;
    whenOver();
  };
  socket.on('error', fail).on('close', () => fail(new Error('The connection was closed.')));

  return {
    ask: ({ method = 'GET', path, headers, body, onFirst }) =>
      new Promise((resolve, reject) => {
        current = { resolve, reject, onFirst };
        [head, isInBody] = ['', false];
        const told = Object.entries({
          host: `${host}:${port}`,
          ...headers,
          ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        });
        socket.write(
          `${method} ${path} HTTP/1.1\r\n${told.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body ?? ''}`,
        );
      }),
    end: () => void socket.destroy(),
  };
}

/** Connections to a server that stay open, as many as are needed at once. */
export function connectionsTo(address: string) {
  const { hostname, port } = new URL(address);
  const all = new Set<Connection>();
  const free: Connection[] = [];
  const open = () => {
    const opened = connect(hostname, Number(port), () => {
      all.delete(opened);
      if (free.includes(opened)) free.splice(free.indexOf(opened), 1);
    });
    all.add(opened);
    return opened;
  };
  return {
    /** Resolves when all of the answer was there, whatever its status; rejects when the connection broke. */
    async ask(asked: Asked): Promise<Answered> {
      const connection = free.pop() ?? open();
      const answered = await connection.ask(asked);
      free.push(connection);
      return answered;
    },
    close() {
      for (const connection of all) connection.end();
    },
  };
}
