import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { openapiMismatch } from '../../../test-support/assert-openapi.ts';
import { createUser, createVideo, testApp, type TestApp } from '../../../test-support/app.ts';
import { openapi, openPath } from './openapi.ts';
import { renderApiMarkdown } from './api-markdown.ts';
import { renderTypescriptClient } from './typescript-client.ts';

interface Document {
  paths: Record<string, Record<string, { operationId: string; 'x-may': string; security: object[] }>>;
  components: { schemas: Record<string, object> };
  servers: { url: string }[];
}
const document = openapi() as unknown as Document;

test('is valid OpenAPI 3.1 without broken references', async () => {
  const result = await new Validator().validate(structuredClone(document) as never);
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
  for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g))
    expect(document.components.schemas).toHaveProperty(name!);
});

test('contains every endpoint with its role', () => {
  for (const [name, call] of Object.entries(api)) {
    const [method = '', path = ''] = name.split(' ');
    expect(document.paths[openPath(path)]?.[method.toLowerCase()]?.['x-may'], name).toBe(call.may);
  }
  const ids = Object.values(document.paths).flatMap((methods) => Object.values(methods).map((one) => one.operationId));
  expect(new Set(ids).size).toBe(ids.length);
});

test('distinguishes input from output types', () => {
  expect(document.paths['/api/video/']!.get).toMatchObject({
    parameters: expect.arrayContaining([
      {
        name: 'page',
        in: 'query',
        required: false,
        schema: expect.objectContaining({ type: ['integer', 'string'], minimum: 0 }),
      },
    ]),
  });
  const watched = document.paths['/api/watched/']!.post as unknown as {
    requestBody: { content: Record<string, { schema: object }> };
    responses: Record<number, { content: Record<string, { schema: object }> }>;
  };
  expect(watched.requestBody.content['application/json']!.schema).toMatchObject({
    properties: { is_watched: { type: ['boolean', 'string', 'number'] } },
  });
  expect(watched.responses[200]!.content['application/json']!.schema).toMatchObject({
    properties: { is_watched: { type: 'boolean' } },
  });
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining(['Video', 'Channel', 'Playlist', 'Download', 'Comment', 'Notification', 'Refusal', 'Denial']),
  );
});

test('docs/api.md and the TypeScript client are up to date (else: npm run docs:api)', () => {
  const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
  expect(read('docs/api.md')).toBe(renderApiMarkdown());
  expect(read('clients/typescript/api.ts')).toBe(renderTypescriptClient());
});

test.each([
  [
    {
      status: 200,
      body: { response: 'pong', user: 1, version: '1', reelkeep_version: '1', ta_update: null, community: [], extra: 1 },
    },
    /additional properties/,
  ],
  [
    { status: 200, body: { response: 'pong', user: '1', version: '1', reelkeep_version: '1', ta_update: null, community: [] } },
    /must be integer/,
  ],
  [{ status: 418, body: {} }, /no such answer is documented/],
  [{ status: 403, body: { error: 'no' } }, /required property 'detail'/],
])('detects a response that does not match: %j', (sent, expectedError) => {
  expect(openapiMismatch({ method: 'GET', path: '/api/ping/', ...sent })).toMatch(expectedError);
  expect(
    openapiMismatch({
      method: 'GET',
      path: '/api/ping',
      status: 200,
      body: { response: 'pong', user: 1, version: '1', reelkeep_version: '1', ta_update: null, community: [] },
    }),
  ).toBeNull();
});

describe('on a running server', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp({ env: { REELKEEP_BASE_PATH: '/tube' } });
  });
  afterAll(() => t.close());

  test('authenticated users can read it, with the base path', async () => {
    const user = await createUser(t);
    const reply = await user.call('GET', '/api/schema/');
    expect([reply.statusCode, (reply.json() as Document).servers]).toEqual([200, [{ url: '/tube' }]]);
    for (const url of ['/api/schema/', '/api/docs/', '/api/docs/start.js', '/api/docs/swagger-ui-bundle.js'])
      expect((await t.server.inject({ url })).statusCode, url).toBe(403);
    expect((await user.call('GET', '/tube/api/docs/')).body).toContain('<base href="/tube/api/docs/" />');
  });

  test('a test fails if a response does not match, with route and reason', async () => {
    const user = await createUser(t);
    const id = await createVideo(t.app.db);
    await t.app.db.updateTable('video').set({ tags: '[7]' }).where('id', '=', id).execute();
    await expect(user.call('GET', `/api/video/${id}/nav/`)).resolves.toMatchObject({ statusCode: 200 });
    await expect(user.call('GET', `/api/video/${id}/`)).rejects.toThrow(/GET \/api\/video\/\{id\}\/ → 500/);
  });
});
