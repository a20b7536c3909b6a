import { createServer, type Server } from 'node:http';
import { networkInterfaces } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isLocalAddress } from '../../platform/egress/direct/network-policy.ts';
import { createUser, testApp, type TestApp } from '../../test-support/app.ts';

const profile = {
  id: 1,
  user: { id: 7, username: 'maria' },
  sponsor_tier: { tier_id: 2, name: 'Patron', description: '', max_subs: 2 },
  subscription_count: 0,
  subscription_is_max: false,
  is_connected: true,
};
// An address of this machine in the local network.
const localAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .map(({ address }) => address)
  .find(isLocalAddress);

describe('a self-hosted membership service', () => {
  let t: TestApp;
  let server: Server;
  let receivedRequests: string[];
  let port: number;
  beforeEach(async () => {
    receivedRequests = [];
    server = createServer((request, response) => {
      receivedRequests.push(`${request.url} ${request.headers.authorization}`);
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
  const readProfile = async (env: Record<string, string>, token = 'good') => {
    t = await testApp({ env });
    const staff = await createUser(t, { isStaff: true });
    const tokenPath = '/api/appsettings/membership/token/';
    expect((await staff.call('POST', tokenPath, { token })).json()).toEqual({ token: '****' });
    expect((await staff.call('GET', tokenPath)).json()).toEqual({ token: '****' });
    const response = await staff.call('GET', '/api/appsettings/membership/profile/');
    return [response.statusCode, response.json().message ?? response.json()];
  };

  test('on this host is queried if configured, and its token is sent nowhere else', async () => {
    const env = { MB_URL: `http://127.0.0.1:${port}` };
    expect(await readProfile(env)).toEqual([200, profile]);
    await t.close();
    expect(await readProfile(env, 'away')).toEqual([400, 'Connection to remote server failed: 302']);
    expect(receivedRequests).toEqual(['/api/profile/me/ Token good', '/api/profile/me/ Token away']);
  });

  test.runIf(localAddress)('on the local network is queried', async () => {
    expect(
      await readProfile({ MB_URL: `http://${localAddress!.includes(':') ? `[${localAddress}]` : localAddress}:${port}` }),
    ).toEqual([200, profile]);
  });

  test('an unreachable service is reported with the reason', async () => {
    await new Promise((resolve) => server.close(resolve));
    const env = { MB_URL: `http://127.0.0.1:${port}` };
    expect(await readProfile(env)).toEqual([400, 'The membership service cannot be reached: 127.0.0.1 refused the connection.']);
  });
});
