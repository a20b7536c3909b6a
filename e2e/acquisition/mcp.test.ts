import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { indexPending } from '#server/features/search/index/index-pending.ts';
import { createUser } from '#server/test-support/app.ts';
import { createClient } from '../../clients/typescript/index.ts';
import { aCatalogue, aChannel, aVideo, cuesFrom } from '../../test-site/builders.ts';
import { add, createArchive, hasTools, queueOf, type TestSiteArchive } from '../support/acquisition.ts';

const channel = aChannel({ name: 'Night Trains' });
const spoken = ['We leave the harbour at dusk.', 'The sleeper car is <warm> & quiet.', 'Breakfast is served in Vienna.'];
const train = aVideo({
  id: 'sleeperCar1',
  channelId: channel.id,
  title: 'The sleeper',
  description: 'Eleven hours.',
  durationSeconds: 6,
  subtitles: [{ language: 'en', name: 'English', automatic: false, cues: cuesFrom(spoken, 6) }],
});
const later = aVideo({ id: 'laterTrain1', channelId: channel.id, title: 'Later', durationSeconds: 4 });

describe.runIf(hasTools)('the MCP server, with the client of the SDK', () => {
  let t: TestSiteArchive;
  let address: string;
  beforeAll(async () => {
    t = await createArchive(aCatalogue({ channels: [channel], videos: [train, later] }));
    await t.staff.call('POST', '/api/appsettings/config/', { downloads: { subtitle: 'en', subtitle_index: true } });
    await add(t, train.id);
    await indexPending(t.app.db);
    address = await t.server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => t.close());

  const tokenOf = async (scopes: string[], owner = t.staff) =>
    (await owner.call('POST', '/api/user/tokens/', { name: 'assistant', scopes })).json().token as string;
  const connect = async (token: string) => {
    const client = new Client({ name: 'test', version: '1' });
    const headers = { authorization: `Bearer ${token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', address), { requestInit: { headers } }) as Transport);
    return client;
  };
  const resultOf = async (client: Client, name: string, args: Record<string, unknown>) => {
    const { isError, structuredContent, content } = await client.callTool({ name, arguments: args });
    return isError ? (content as { text: string }[])[0]!.text : structuredContent;
  };

  test('finds spoken words and videos, and reads transcript and details', async () => {
    const client = await connect(await tokenOf(['read']));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'search_moments',
      'similar_moments',
      'search_transcripts',
      'search_videos',
      'get_transcript',
      'list_new',
      'video_details',
    ]);
    const link = `${address}/video/${train.id}/`;
    expect(await resultOf(client, 'search_transcripts', { words: 'warm quiet', channel: 'Trains' })).toMatchObject({
      hits: [
        { video: train.id, title: train.title, channel: channel.name, language: 'en', from_seconds: 3.059, link: `${link}?t=3` },
      ],
      has_more: false,
    });
    const { hits } = (await resultOf(client, 'search_transcripts', { words: 'warm' })) as { hits: { text: string }[] };
    expect(hits[0]!.text).toContain('The sleeper car is <warm> & quiet.');
    expect(await resultOf(client, 'search_transcripts', { words: 'warm', channel: 'Bakery' })).toMatchObject({ hits: [] });
    expect(await resultOf(client, 'search_moments', { words: 'eleven hours' })).toMatchObject({
      videos: [{ id: train.id, more_moments: 0, moments: [{ kind: 'description', text: 'Eleven hours.', link }] }],
    });
    expect(await resultOf(client, 'search_moments', { words: 'warm', kinds: ['title'] })).toMatchObject({ videos: [] });
    expect(await resultOf(client, 'similar_moments', { video: train.id, second: 3 })).toMatch(/^Meaning search is off\./);
    expect(await resultOf(client, 'search_videos', { words: 'sleeper' })).toMatchObject({ videos: [{ id: train.id, link }] });
    expect(await resultOf(client, 'get_transcript', { video: train.id, from: 2, to: 3 })).toEqual({
      video: train.id,
      title: train.title,
      language: 'en',
      languages: ['en'],
      lines: [{ from: 2, to: 3.8, text: spoken[1] }],
      untrusted_fields: ['title', 'text'],
    });
    expect(await resultOf(client, 'get_transcript', { video: train.id, language: 'de' })).toBe(
      'No subtitles in “de”. Available: en.',
    );
    expect(await resultOf(client, 'list_new', { unwatched: true })).toMatchObject({ videos: [{ id: train.id }], total: 1 });
    expect(await resultOf(client, 'list_new', { since: '2100-01-01' })).toMatchObject({ videos: [], total: 0 });
    expect(await resultOf(client, 'video_details', { video: train.id })).toMatchObject({
      description: 'Eleven hours.',
      subtitle_languages: ['en'],
      is_available_at_source: true,
    });
    expect(await resultOf(client, 'video_details', { video: '../../etc/passwd' })).toBe('video not found');
    for (const video of ['.', '..'])
      for (const tool of ['video_details', 'get_transcript'])
        expect(await resultOf(client, tool, { video })).toBe('There is nothing with this id.');
    expect(await resultOf(client, 'get_transcript', { video: 7 })).toMatch(/Invalid arguments/);
    await client.close();
  });

  test('reads and writes notes with their scope only', async () => {
    const reader = await connect(await tokenOf(['read']));
    expect((await reader.listTools()).tools.map(({ name }) => name)).not.toContain('list_notes');
    await expect(reader.callTool({ name: 'list_notes', arguments: {} })).rejects.toThrow(/This token lacks the scope “notes”/);
    await reader.close();
    const client = await connect(await tokenOf(['read', 'notes']));
    const { tools } = await client.listTools();
    expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name)).toEqual(['add_note']);
    const note = { video: train.id, title: train.title, text: 'Ask about the sleeper', from_seconds: 2 };
    expect(await resultOf(client, 'add_note', { video: train.id, text: note.text, from: 2 })).toMatchObject(note);
    expect(await resultOf(client, 'list_notes', {})).toMatchObject({
      notes: [{ ...note, kind: 'note', link: `${address}/video/${train.id}/?t=2` }],
      total: 1,
    });
    expect(await resultOf(client, 'add_note', { video: train.id, text: 'x', from: 5, to: 4 })).toBe(
      'The end is before the start.',
    );
    await client.close();
  });

  test('reads the transcript of the spoken language', async () => {
    const { db, config } = t.app;
    const subtitle = (lang: string, source: 'user' | 'auto') => {
      const path = `${channel.id}/${train.id}.${lang}.vtt`;
      return { videoId: train.id, lang, source, name: lang, path };
    };
    const vtt = `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${spoken[0]}\n`;
    await writeFile(join(config.mediaFolder, `${channel.id}/${train.id}.da.vtt`), vtt);
    // The file does not name the language of its audio, so it is that of the automatic subtitles.
    await db
      .insertInto('subtitle')
      .values([subtitle('de', 'user'), subtitle('da-orig', 'auto'), subtitle('da', 'user')])
      .execute();
    const client = await connect(await tokenOf(['read']));
    expect(await resultOf(client, 'get_transcript', { video: train.id })).toMatchObject({ language: 'da' });
    await client.close();
    await db.deleteFrom('subtitle').where('lang', 'in', ['de', 'da', 'da-orig']).execute();
  });

  test('adds to the queue only with the scope, and only for staff', async () => {
    const user = await createUser(t, { name: 'Ann' });
    const reader = await connect(await tokenOf(['read']));
    expect((await reader.listTools()).tools.map(({ name }) => name)).not.toContain('add_to_queue');
    await expect(resultOf(reader, 'add_to_queue', { urls: [later.id] })).rejects.toThrow(/lacks the scope “download”/);
    await reader.close();
    const other = await connect(await tokenOf(['read', 'download'], user));
    expect(await resultOf(other, 'add_to_queue', { urls: [later.id] })).toMatch(/add_to_queue not found/);
    await other.close();
    const client = await connect(await tokenOf(['read', 'download']));
    expect(await resultOf(client, 'add_to_queue', { urls: [later.id] })).toMatchObject({ task: expect.any(String) });
    await client.close();
    await t.runner.idle();
    expect(await queueOf(t)).toMatchObject([{ youtube_id: later.id }]);
  });

  test('requests transcripts only as staff, and passes on why not', async () => {
    const reader = await connect(await tokenOf(['read', 'download']));
    await expect(reader.callTool({ name: 'request_transcript', arguments: { video: train.id } })).rejects.toThrow(
      /lacks the scope/,
    );
    await reader.close();
    const client = await connect(await tokenOf(['staff']));
    expect(await resultOf(client, 'request_transcript', { video: train.id })).toMatch(/^Transcripts are off/);
    await t.staff.call('POST', '/api/appsettings/config/', { speech: { transcribe: 'request' } });
    expect(await resultOf(client, 'request_transcript', { video: train.id })).toMatch(/speech engine/);
    await client.close();
  });

  test('limits the calls of a token, and says when it may call again', async () => {
    const client = await connect(await tokenOf(['read']));
    const call = () => resultOf(client, 'list_new', {});
    for (let n = 0; n < 60; n++) expect(await call()).toMatchObject({ total: expect.any(Number) });
    expect(await call()).toMatch(/^An assistant can make 60 calls a minute\. Try again in \d+ seconds?\.$/);
    await client.close();
    const other = await connect(await tokenOf(['read']));
    expect(await resultOf(other, 'list_new', {})).toMatchObject({ total: expect.any(Number) });
    await other.close();
  });

  test('the TypeScript client reads and changes watch states, and throws errors of the API', async () => {
    const archive = createClient({ url: `${address}/`, token: await tokenOf(['watch']) });
    const { data } = await archive.call('GET /api/video/', { query: { watch: 'unwatched', channel: channel.id } });
    expect(data.map(({ youtube_id: id, player }) => [id, player.watched])).toEqual([[train.id, false]]);
    await archive.call('POST /api/watched/', { body: { id: train.id, is_watched: true } });
    const video = await archive.call('GET /api/video/{id}/', { params: { id: train.id } });
    expect(video.player.watched).toBe(true);
    // @ts-expect-error The id is missing.
    await expect(archive.call('GET /api/video/{id}/', {})).rejects.toThrow('video not found');
    const refused = archive.call('POST /api/list/', { body: { name: 'List', filter: { watch: 'watched' } } });
    await expect(refused).rejects.toMatchObject({ status: 403, message: expect.stringMatching(/lacks the scope/) });
  });

  test('refuses other credentials, methods and bodies', async () => {
    await expect(connect('0'.repeat(40))).rejects.toThrow(/Invalid token/);
    const refused = await fetch(`${address}/mcp`, { method: 'POST', headers: { authorization: 'Bearer x' }, body: '{}' });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    await expect(connect(await tokenOf(['download']))).rejects.toThrow(/lacks the scope/);
    const headers = { authorization: `Bearer ${await tokenOf(['read'])}`, accept: 'application/json, text/event-stream' };
    expect((await fetch(`${address}/mcp`, { headers })).status).toBe(405);
    expect(
      (await fetch(`${address}/mcp`, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{}' }))
        .status,
    ).toBe(400);
    // Only the MCP endpoint accepts this scheme: behind a proxy other endpoints may get its tokens.
    expect((await fetch(`${address}/api/ping/`, { headers })).status).toBe(403);
  });
});
