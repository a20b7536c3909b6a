import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { generate } from 'selfsigned';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openForwardProxy, type ForwardProxy } from './forward-proxy.ts';
import { checkUrl } from './host-policy.ts';

let canary: Server;
let requestCount: number;
let port: number;
const openProxies: ForwardProxy[] = [];
const open = async (options: Partial<Parameters<typeof openForwardProxy>[0]> = {}) => {
  const proxy = await openForwardProxy({ allow: [], ...options });
  openProxies.push(proxy);
  return proxy;
};
beforeEach(async () => {
  requestCount = 0;
  canary = createServer((request, response) => {
    requestCount++;
    if (request.url === '/inside') response.writeHead(302, { location: `http://localhost:${port}/secret` }).end();
    else response.end('secret');
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  port = (canary.address() as { port: number }).port;
});
afterEach(async () => {
  for (const proxy of openProxies.splice(0)) await proxy.close();
  canary.close();
});

const privateUrls = (at: number) => [
  `http://127.0.0.1:${at}/`,
  `http://localhost:${at}/`,
  `http://2130706433:${at}/`,
  `http://0x7f000001:${at}/`,
  `http://0177.0.0.1:${at}/`,
  `http://127.1:${at}/`,
  `http://[::1]:${at}/`,
  `http://[::ffff:127.0.0.1]:${at}/`,
  `http://[64:ff9b::7f00:1]:${at}/`,
  `http://[2002:7f00:1::]:${at}/`,
  `http://169.254.169.254/latest/meta-data`,
  `http://100.64.0.1/`,
  `http://168.63.129.16/machine/`,
  `http://[::ffff:168.63.129.16]/`,
  `http://10.0.0.1/`,
  `http://0.0.0.0:${at}/`,
  `http://printer.local/`,
  `http://router/`,
];

describe('checking a URL', () => {
  test.each(privateUrls(80))('rejects %s before any request', (url) =>
    expect(checkUrl(url, [])).toMatchObject({ id: expect.stringMatching(/^error\./) }),
  );
  test.each(['file:///etc/passwd', 'ftp://a.example/', 'data:text/html,x', 'nonsense', ''])('rejects %j', (url) =>
    expect(checkUrl(url, [])).toMatchObject({ id: expect.stringMatching(/^error\./) }),
  );
  test.each(['https://www.youtube.com/watch?v=x', 'http://93.184.216.34/', 'https://[2606:2800:220:1:248:1893:25c8:1946]/'])(
    'allows %s',
    (url) => expect(checkUrl(url, [])).toBeNull(),
  );
  test('allows hosts of the allowlist', () => {
    expect(checkUrl('http://192.168.1.20/cam', ['192.168.1.0/24'])).toBeNull();
    expect(checkUrl('http://nas.local/a', ['nas.local'])).toBeNull();
    expect(checkUrl('http://192.168.2.20/cam', ['192.168.1.0/24'])).not.toBeNull();
    expect(checkUrl('http://10.1.2.3/', ['*'])).toBeNull();
  });
});

describe('the forward proxy', () => {
  test('rejects addresses of the local network in any form', async () => {
    const proxy = await open();
    for (const url of privateUrls(port)) await expect(proxy.fetch(url), url).rejects.toThrow(/\.$/);
    expect(requestCount).toBe(0);
  });

  test('connects only to checked addresses despite DNS rebinding', async () => {
    let times = 0;
    const proxy = await open({ lookup: async () => (++times === 1 ? ['127.0.0.1'] : ['93.184.216.34']) });
    await expect(proxy.fetch(`http://rebinding.example:${port}/`)).rejects.toThrow();
    const mixed = await open({ lookup: async () => ['93.184.216.34', '127.0.0.1'] });
    await expect(mixed.fetch(`http://mixed.example:${port}/`)).rejects.toThrow();
    expect(requestCount).toBe(0);
  });

  test('checks the targets of redirects', async () => {
    const proxy = await open({ allow: ['127.0.0.1'] });
    const reply = await proxy.fetch(`http://127.0.0.1:${port}/plain`);
    expect(await reply.text()).toBe('secret');
    requestCount = 0;
    await expect(proxy.fetch(`http://127.0.0.1:${port}/inside`)).rejects.toThrow(/local network/);
    expect(requestCount).toBe(1);
    expect(proxy.refused.map(({ host }) => host)).toContain('localhost');
  });

  test('rejects requests without its password', async () => {
    const proxy = await open({ allow: ['*'] });
    const { port: proxyPort } = new URL(proxy.url);
    const reply = await fetch(`http://127.0.0.1:${proxyPort}/`, { headers: { host: `127.0.0.1:${port}` } });
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(requestCount).toBe(0);
  });

  test('limits the size of a response', async () => {
    const proxy = await open({ allow: ['*'] });
    const reply = await proxy.fetch(`http://127.0.0.1:${port}/`, { maxBytes: 3 });
    await expect(reply.text()).rejects.toThrow(/more than 3 bytes/);
  });

  test('rejects invalid certificates unless disabled', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
      keyType: 'ec',
      algorithm: 'sha256',
    });
    const https = createSecureServer({ key, cert }, (_request, response) => response.end('secret'));
    await new Promise<void>((resolve) => https.listen(0, '127.0.0.1', resolve));
    const { port: securePort } = https.address() as { port: number };
    try {
      const url = `https://localhost:${securePort}/`;
      await expect((await open({ allow: ['*'] })).fetch(url)).rejects.toThrow();
      expect(await (await (await open({ allow: ['*'], insecure: true })).fetch(url)).text()).toBe('secret');
    } finally {
      https.close();
    }
  });
});
