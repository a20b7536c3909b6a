import { createServer, type Server } from 'node:http';
import { networkInterfaces } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isLocalAddress } from '../notify/reach.ts';
import { aUser, testArchive, type TestArchive } from '../testing.ts';

const profile = {
  id: 1,
  user: { id: 7, username: 'maria' },
  sponsor_tier: { tier_id: 2, name: 'Patron', description: '', max_subs: 2 },
  subscription_count: 0,
  subscription_is_max: false,
  is_connected: true,
};
// This machine as others in its network know it.
const here = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .map(({ address }) => address)
  .find(isLocalAddress);

describe('a membership service of one’s own', () => {
  let t: TestArchive;
  let server: Server;
  let asked: string[];
  let port: number;
  beforeEach(async () => {
    asked = [];
    server = createServer((request, response) => {
      asked.push(`${request.url} ${request.headers.authorization}`);
      if (request.headers.authorization === 'Token away') response.writeHead(302, { location: '/inside' }).end();
      else response.end(JSON.stringify(profile));
    });
    await new Promise<void>((resolve) => server.listen(0, resolve));
    port = (server.address() as { port: number }).port;
  });
  afterEach(async () => {
    server.close();
    await t.close();
  });
  const ask = async (env: Record<string, string>, token = 'good') => {
    t = await testArchive({ env });
    const staff = await aUser(t, { isStaff: true });
    await staff.call('POST', '/api/appsettings/membership/token/', { token });
    const answer = await staff.call('GET', '/api/appsettings/membership/profile/');
    return [answer.statusCode, answer.json().message ?? answer.json()];
  };

  test('on this machine itself is asked, as whoever runs the archive said, and its token goes nowhere else', async () => {
    const env = { MB_URL: `http://127.0.0.1:${port}` };
    expect(await ask(env)).toEqual([200, profile]);
    await t.close();
    expect(await ask(env, 'away')).toEqual([400, 'Connection to remote server failed: 302']);
    expect(asked).toEqual(['/api/profile/me/ Token good', '/api/profile/me/ Token away']);
  });

  test.runIf(here)('in the local network is asked', async () => {
    expect(await ask({ MB_URL: `http://${here!.includes(':') ? `[${here}]` : here}:${port}` })).toEqual([200, profile]);
  });

  test('that is not there is told with the reason', async () => {
    await new Promise((resolve) => server.close(resolve));
    const env = { MB_URL: `http://127.0.0.1:${port}` };
    expect(await ask(env)).toEqual([400, 'The membership service cannot be reached: 127.0.0.1 refused the connection.']);
  });
});
