import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createUser, testApp } from '../../../test-support/app.ts';

test('answers running requests before the server closes, and ends event streams', async () => {
  const t = await testApp();
  await t.server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = t.server.server.address() as AddressInfo;
  const user = await createUser(t);
  const stream = await fetch(`http://127.0.0.1:${port}/api/events/`, { headers: user.headers });
  const body = JSON.stringify({ grid_items: 4 });
  const running = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/user/me/',
    headers: { ...user.headers, 'content-type': 'application/json', 'content-length': String(body.length) },
  });
  running.write(body.slice(0, 5));
  await once(t.server.server, 'request');

  const closed = t.close();
  for await (const _ of stream.body!); // ends
  await expect(fetch(`http://127.0.0.1:${port}/livez/`)).rejects.toThrow();
  running.end(body.slice(5));
  const [response] = (await once(running, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  expect(JSON.parse(String(Buffer.concat(await response.toArray())))).toMatchObject({ grid_items: 4 });
  await closed;
});
