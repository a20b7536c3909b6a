import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net';

/** Forwards connections to a server, and can fail as a network does. */
export async function startRelay(target: NetConnectOpts) {
  const pairs = new Set<[client: Socket, upstream: Socket]>();
  let cutAfterBytes = Infinity;
  const relay = createServer((client) => {
    const upstream = connect(target);
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    let forwarded = 0;
    // Registered before the data are forwarded.
    upstream.on('data', ({ length }: Buffer) => {
      forwarded += length;
      if (forwarded > cutAfterBytes) client.destroy();
    });
    client.pipe(upstream).pipe(client);
    for (const socket of pair)
      socket
        .on('error', () => {})
        .once('close', () => {
          pairs.delete(pair);
          for (const other of pair) other.destroy();
        });
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  /** Cuts all connections; new ones work. */
  const cut = () => {
    for (const socket of [...pairs].flat()) socket.destroy();
    pairs.clear();
  };
  return {
    port: (relay.address() as AddressInfo).port,
    /** Number of connections. */
    get open() {
      return pairs.size;
    },
    /** Cuts each connection when the server has sent this many bytes on it. */
    cutAfter: (bytes: number) => void (cutAfterBytes = bytes),
    /**
     * Forwards nothing more on the open connections, and closes nothing, as a machine without power; new ones work. Returns a
     * promise of the next data that a client sends.
     */
    silence(): Promise<unknown> {
      for (const [client, upstream] of pairs) {
        client.unpipe(upstream).pause();
        upstream.unpipe(client).pause();
      }
      return Promise.any([...pairs].map(([client]) => once(client, 'readable')));
    },
    cut,
    close() {
      cut();
      relay.close();
    },
  };
}
