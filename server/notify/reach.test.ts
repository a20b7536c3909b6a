import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mayBeTold, openReach } from './reach.ts';
import { withWay, type WayConfig } from './way.ts';

const config: WayConfig = { allowPrivate: [], proxyUrl: undefined, proxyInsecure: false };

describe('a notification', () => {
  test.each([
    '8.8.8.8',
    '192.168.1.5',
    '10.0.0.1',
    '172.20.0.2',
    '100.90.1.1',
    'fd12::1',
    '2606:4700::1111',
    '::ffff:192.168.1.5',
  ])('may go to %s', (address) => expect(mayBeTold(address)).toBe(true));
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
  ])('may not go to %s', (address) => expect(mayBeTold(address)).toBe(false));
});

describe('the way out', () => {
  let server: Server;
  let asked: string[];
  let port: number;
  beforeEach(async () => {
    asked = [];
    server = createServer((request, response) => {
      asked.push(request.url!);
      if (request.url === '/away') response.writeHead(302, { location: `http://127.0.0.1:${port}/inside` }).end();
      else response.end('a secret that is nobody’s to read');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as { port: number }).port;
  });
  afterEach(() => void server.close());

  test('leads not to this machine, in whatever way it is written', async () => {
    await withWay(config, async (way) => {
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
        await expect(way.ask({ url: `http://${host}:${port}/` }), host).rejects.toThrow(/requests may not go there/);
      await expect(way.connect('localhost', port)).rejects.toThrow(/requests may not go there/);
      await expect(way.connect('2130706433', port)).rejects.toThrow(/requests may not go there/);
    });
    expect(asked).toEqual([]);
  });

  test('leads not where a name turns out to lead, nor to the better half of its addresses', async () => {
    for (const addresses of [['127.0.0.1'], ['93.184.216.34', '169.254.169.254']]) {
      const going = withWay(
        config,
        (way) => way.ask({ url: `http://rebinding.example:${port}/` }),
        async () => addresses,
      );
      await expect(going).rejects.toThrow(/requests may not go there/);
    }
    expect(asked).toEqual([]);
  });

  test('leads there when the person who runs the server says so, and never where a redirect points', async () => {
    await withWay({ ...config, allowPrivate: ['127.0.0.1'] }, async (way) => {
      expect(await way.ask({ url: `http://localhost:${port}/here` })).toMatchObject({ status: 200 });
      expect(await way.ask({ url: `http://127.0.0.1:${port}/away` })).toMatchObject({ status: 302 });
    });
    expect(asked).toEqual(['/here', '/away']);
  });

  test('says in a sentence what is wrong with the other side', async () => {
    await withWay({ ...config, allowPrivate: ['127.0.0.1'] }, async (way) => {
      server.close();
      await expect(way.ask({ url: `http://127.0.0.1:${port}/` })).rejects.toThrow('127.0.0.1 refused the connection.');
      await expect(way.ask({ url: 'http://nobody.invalid/' })).rejects.toThrow(
        /^nobody.invalid (was not found|could not be looked up)\.$/,
      );
      await expect(way.ask({ url: 'ftp://127.0.0.1/' })).rejects.toThrow('Only http and https');
    });
  });

  test('to the internet goes by the person’s own proxy, to the local network it does not', async () => {
    const proxied: string[] = [];
    const proxy = createServer().on('connect', (request, socket) => {
      proxied.push(request.url!);
      socket.end('HTTP/1.1 502 No\r\n\r\n');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const proxyUrl = `http://127.0.0.1:${(proxy.address() as { port: number }).port}`;
    await withWay(
      { ...config, proxyUrl, allowPrivate: ['nas.local'] },
      async (way) => {
        await way.ask({ url: 'https://ntfy.sh/topic' }).catch(() => {});
        await way.ask({ url: `http://nas.local:${port}/lan` }).catch(() => {});
      },
      async () => ['127.0.0.1'],
    );
    proxy.close();
    expect(proxied).toEqual(['ntfy.sh:443']);
    expect(asked).toEqual(['/lan']);
  });
});

test('a name without addresses was not found', async () => {
  await expect(openReach(config, async () => []).addressesOf('empty.example')).rejects.toThrow('empty.example was not found.');
});
