import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { generate } from 'selfsigned';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openGate, type Gate } from './gate.ts';
import { judgeUrl } from './judge.ts';

let canary: Server;
let asked: number;
let port: number;
const gates: Gate[] = [];
const open = async (options: Partial<Parameters<typeof openGate>[0]> = {}) => {
  const gate = await openGate({ allow: [], ...options });
  gates.push(gate);
  return gate;
};
beforeEach(async () => {
  asked = 0;
  canary = createServer((request, response) => {
    asked++;
    if (request.url === '/inside') response.writeHead(302, { location: `http://localhost:${port}/secret` }).end();
    else response.end('secret');
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  port = (canary.address() as { port: number }).port;
});
afterEach(async () => {
  for (const gate of gates.splice(0)) await gate.close();
  canary.close();
});

const privateForms = (at: number) => [
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
  `http://10.0.0.1/`,
  `http://0.0.0.0:${at}/`,
  `http://printer.local/`,
  `http://router/`,
];

describe('a link', () => {
  test.each(privateForms(80))('%s is refused before anything is asked', (url) => expect(judgeUrl(url, [])).toMatch(/\.$/));
  test.each(['file:///etc/passwd', 'ftp://a.example/', 'data:text/html,x', 'nonsense', ''])('%j is no link to a page', (url) =>
    expect(judgeUrl(url, [])).toMatch(/\.$/),
  );
  test.each(['https://www.youtube.com/watch?v=x', 'http://93.184.216.34/', 'https://[2606:2800:220:1:248:1893:25c8:1946]/'])(
    '%s may be tried',
    (url) => expect(judgeUrl(url, [])).toBeNull(),
  );
  test('to a place that the configuration names may be tried', () => {
    expect(judgeUrl('http://192.168.1.20/cam', ['192.168.1.0/24'])).toBeNull();
    expect(judgeUrl('http://nas.local/a', ['nas.local'])).toBeNull();
    expect(judgeUrl('http://192.168.2.20/cam', ['192.168.1.0/24'])).not.toBeNull();
    expect(judgeUrl('http://10.1.2.3/', ['*'])).toBeNull();
  });
});

describe('the gate', () => {
  test('lets nothing through to the local network, in whatever way it is written', async () => {
    const gate = await open();
    for (const url of privateForms(port)) await expect(gate.fetch(url), url).rejects.toThrow(/\.$/);
    expect(asked).toBe(0);
  });

  test('connects to what it judged: a second answer of the resolver leads nowhere', async () => {
    let times = 0;
    const gate = await open({ lookup: async () => (++times === 1 ? ['127.0.0.1'] : ['93.184.216.34']) });
    await expect(gate.fetch(`http://rebinding.example:${port}/`)).rejects.toThrow();
    const mixed = await open({ lookup: async () => ['93.184.216.34', '127.0.0.1'] });
    await expect(mixed.fetch(`http://mixed.example:${port}/`)).rejects.toThrow();
    expect(asked).toBe(0);
  });

  test('judges where a redirect leads', async () => {
    const gate = await open({ allow: ['127.0.0.1'] });
    const answer = await gate.fetch(`http://127.0.0.1:${port}/plain`);
    expect(await answer.text()).toBe('secret');
    asked = 0;
    await expect(gate.fetch(`http://127.0.0.1:${port}/inside`)).rejects.toThrow(/local network/);
    expect(asked).toBe(1);
    expect(gate.refused.map(({ host }) => host)).toContain('localhost');
  });

  test('opens to nobody who does not know its password', async () => {
    const gate = await open({ allow: ['*'] });
    const { port: gatePort } = new URL(gate.url);
    const answer = await fetch(`http://127.0.0.1:${gatePort}/`, { headers: { host: `127.0.0.1:${port}` } });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(asked).toBe(0);
  });

  test('reads no more of an answer than was agreed', async () => {
    const gate = await open({ allow: ['*'] });
    const answer = await gate.fetch(`http://127.0.0.1:${port}/`, { maxBytes: 3 });
    await expect(answer.text()).rejects.toThrow(/more than 3 bytes/);
  });

  test('talks to nobody whose certificate does not prove who they are, unless that was asked for', async () => {
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
