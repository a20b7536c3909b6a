import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isAllowedTarget, createNetworkPolicy } from './network-policy.ts';
import { withTransport, type TransportConfig } from './transport.ts';

const config: TransportConfig = { allowPrivate: [], proxyUrl: undefined, proxyInsecure: false };

describe('the network policy of notifications', () => {
  test.each([
    '8.8.8.8',
    '192.168.1.5',
    '10.0.0.1',
    '172.20.0.2',
    '100.90.1.1',
    'fd12::1',
    '2606:4700::1111',
    '::ffff:192.168.1.5',
  ])('allows %s', (address) => expect(isAllowedTarget(address)).toBe(true));
  test.each([
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '169.254.169.254',
    '::ffff:169.254.169.254',
    'fe80::1',
    '100.100.100.200',
    'fd00:ec2::254',
    '168.63.129.16',
    '224.0.0.1',
    '255.255.255.255',
    'nonsense',
  ])('rejects %s', (address) => expect(isAllowedTarget(address)).toBe(false));
});

describe('the transport', () => {
  let server: Server;
  let requestedUrls: string[];
  let port: number;
  beforeEach(async () => {
    requestedUrls = [];
    server = createServer((request, response) => {
      requestedUrls.push(request.url!);
      if (request.url === '/away') response.writeHead(302, { location: `http://127.0.0.1:${port}/inside` }).end();
      else response.end('a secret that is nobody’s to read');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as { port: number }).port;
  });
  afterEach(() => void server.close());

  test('does not reach this host in any notation', async () => {
    await withTransport(config, async (transport) => {
      for (const host of [
        '127.0.0.1',
        'localhost',
        '2130706433',
        '0x7f000001',
        '127.1',
        '[::1]',
        '[::ffff:127.0.0.1]',
        '0.0.0.0',
      ])
        await expect(transport.ask({ url: `http://${host}:${port}/` }), host).rejects.toThrow(/Requests to it are blocked/);
      await expect(transport.connect('localhost', port)).rejects.toThrow(/Requests to it are blocked/);
      await expect(transport.connect('2130706433', port)).rejects.toThrow(/Requests to it are blocked/);
    });
    expect(requestedUrls).toEqual([]);
  });

  test('does not reach a name that resolves to a rejected address, or one of them', async () => {
    for (const addresses of [['127.0.0.1'], ['93.184.216.34', '169.254.169.254']]) {
      const request = withTransport(config, (transport) => transport.ask({ url: `http://rebinding.example:${port}/` }), {
        lookup: async () => addresses,
      });
      await expect(request).rejects.toThrow(/Requests to it are blocked/);
    }
    expect(requestedUrls).toEqual([]);
  });

  test('reaches hosts that the operator allowed, but not through redirects', async () => {
    await withTransport({ ...config, allowPrivate: ['127.0.0.1'] }, async (transport) => {
      expect(await transport.ask({ url: `http://localhost:${port}/here` })).toMatchObject({ status: 200 });
      expect(await transport.ask({ url: `http://127.0.0.1:${port}/away` })).toMatchObject({ status: 302 });
    });
    expect(requestedUrls).toEqual(['/here', '/away']);
  });

  test('reports connection errors', async () => {
    await withTransport({ ...config, allowPrivate: ['127.0.0.1'] }, async (transport) => {
      server.close();
      await expect(transport.ask({ url: `http://127.0.0.1:${port}/` })).rejects.toThrow('127.0.0.1 refused the connection.');
      await expect(transport.ask({ url: 'http://nobody.invalid/' })).rejects.toThrow(
        /^nobody.invalid (was not found|could not be looked up)\.$/,
      );
      await expect(transport.ask({ url: 'ftp://127.0.0.1/' })).rejects.toThrow('Only http and https');
    });
  });

  test('uses the proxy for public addresses, not for the local network', async () => {
    const proxied: string[] = [];
    const proxy = createServer().on('connect', (request, socket) => {
      proxied.push(request.url!);
      socket.end('HTTP/1.1 502 No\r\n\r\n');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const proxyUrl = `http://127.0.0.1:${(proxy.address() as { port: number }).port}`;
    await withTransport(
      { ...config, proxyUrl, allowPrivate: ['nas.local'] },
      async (transport) => {
        await expect(transport.ask({ url: 'https://ntfy.sh/topic' })).rejects.toThrow(); // the proxy rejects it
        await transport.ask({ url: `http://nas.local:${port}/lan` });
      },
      { lookup: async () => ['127.0.0.1'] },
    );
    proxy.close();
    expect(proxied).toEqual(['ntfy.sh:443']);
    expect(requestedUrls).toEqual(['/lan']);
  });
});

test('a name without addresses is reported as not found', async () => {
  await expect(createNetworkPolicy(config, async () => []).addressesOf('empty.example')).rejects.toThrow(
    'empty.example was not found.',
  );
});
