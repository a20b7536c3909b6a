import net from 'node:net';

// HTTP client that discards bodies. The client shares the cores of the server: with node:http, every chunk is a separate buffer,
// and garbage collection by four V8 threads occupied both cores for 5 to 20 ms several times a second.

const endOfHead = '\r\n\r\n';
const endOfChunks = '\r\n0\r\n\r\n';
/** Read buffer shared by all connections; its content is processed before the next read. */
const block = Buffer.allocUnsafeSlow(64 * 1024);

export interface RawRequest {
  method?: string;
  path: string;
  /** Without the headers of the body, and without Host. */
  headers: Record<string, string>;
  body?: string | undefined;
  /** Called at the first byte of the response. */
  onFirst?: (() => void) | undefined;
}
export interface RawResponse {
  status: number;
  /** Length of the body. */
  bytes: number;
}

interface Connection {
  send(request: RawRequest): Promise<RawResponse>;
  end(): void;
}

function connect(host: string, port: number, whenOver: () => void): Connection {
  let current: { resolve(response: RawResponse): void; reject(error: Error): void; onFirst?: RawRequest['onFirst'] } | undefined;
  let [head, tail] = ['', ''];
  let [status, bytes, size] = [0, 0, Number.NaN];
  let isInBody = false;

  const done = () => {
    const request = current;
    current = undefined;
    request?.resolve({ status, bytes });
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
      // Chunked encoding. The end marker cannot occur in JSON.
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
    send: ({ method = 'GET', path, headers, body, onFirst }) =>
      new Promise((resolve, reject) => {
        current = { resolve, reject, onFirst };
        [head, isInBody] = ['', false];
        const headerLines = Object.entries({
          host: `${host}:${port}`,
          ...headers,
          ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        });
        socket.write(
          `${method} ${path} HTTP/1.1\r\n${headerLines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body ?? ''}`,
        );
      }),
    end: () => void socket.destroy(),
  };
}

/** Creates a pool of keep-alive connections to a server that grows on demand. */
export function connectionsTo(address: string) {
  const { hostname, port } = new URL(address);
  const all = new Set<Connection>();
  const free: Connection[] = [];
  const open = () => {
    const connection = connect(hostname, Number(port), () => {
      all.delete(connection);
      if (free.includes(connection)) free.splice(free.indexOf(connection), 1);
    });
    all.add(connection);
    return connection;
  };
  return {
    /** Resolves when the response of any status is complete; rejects if the connection fails. */
    async send(request: RawRequest): Promise<RawResponse> {
      const connection = free.pop() ?? open();
      const response = await connection.send(request);
      free.push(connection);
      return response;
    },
    close() {
      for (const connection of all) connection.end();
    },
  };
}
