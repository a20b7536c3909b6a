import { connect as open, createServer, type AddressInfo, type Socket } from 'node:net';

/** Forwards connections to an address on this machine, and can pretend that the network is gone. */
export async function startSwitchableProxy(address: string) {
  const { hostname, port } = new URL(address);
  let isConnected = true;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    if (!isConnected) return void socket.destroy();
    const target = open(Number(port), hostname);
    for (const [from, to] of [
      [socket, target],
      [target, socket],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.once('error', () => to.destroy());
      from.once('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const disconnect = () => {
    isConnected = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    disconnect,
    connect: () => void (isConnected = true),
    close() {
      disconnect();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
