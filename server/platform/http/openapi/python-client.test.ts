import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser, createVideo, testApp, type TestApp } from '../../../test-support/app.ts';
import { openapi } from './openapi.ts';

// A client in another language, generated from the document by openapi-python-client.

const python = process.env.REELKEEP_TEST_OPENAPI_CLIENT;
const run = promisify(execFile);

const script = `import json, sys
from reelkeep import AuthenticatedClient
from reelkeep.api.video import get_video_id
from reelkeep.api.watched import post_watched
from reelkeep.models import PostWatchedBody
client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2], prefix="Token")
video = get_video_id.sync("harbour", client=client)
post_watched.sync(client=client, body=PostWatchedBody(id=video.youtube_id, is_watched=True))
missing = get_video_id.sync_detailed("missing", client=client)
print(json.dumps([video.title, video.sponsorblock.segments[0].segment, missing.status_code]))
`;

describe.runIf(python)('a generated Python client', () => {
  let t: TestApp;
  let folder: string;
  let output: string;
  beforeAll(async () => {
    t = await testApp();
    folder = t.folder;
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(openapi()));
    await writeFile(join(folder, 'config.yml'), 'post_hooks: []');
    const files = ['--path', 'openapi.json', '--config', 'config.yml', '--output-path', 'reelkeep'];
    const args = ['-m', 'openapi_python_client', 'generate', '--meta', 'none', ...files];
    const { stdout, stderr } = await run(python!, args, { cwd: folder });
    output = stdout + stderr;
  });
  afterAll(() => t.close());

  test('contains every operation', async () => {
    const { paths } = openapi() as { paths: Record<string, object> };
    const operations = Object.values(paths).flatMap(Object.keys);
    const files = await readdir(join(folder, 'reelkeep/api'), { recursive: true });
    expect(files.filter((name) => /\/(?!__)\w+\.py$/.test(name))).toHaveLength(operations.length);
    expect(output).not.toMatch(/Endpoint will not be generated|ERROR/);
  });

  test('leaves out only files whose type it does not know', () => {
    const omitted = [...output.matchAll(/Cannot parse response .*\((.*)\)/g)].map(([, reason]) => reason!);
    expect(new Set(omitted)).toEqual(
      new Set(
        ['audio/x-mpegurl', 'application/x-ndjson', 'application/rss+xml', 'application/zip', 'image/jpeg', '*/*'].map(
          (type) => `Unsupported content_type ${type}`,
        ),
      ),
    );
    expect(output.match(/^WARNING/gm)).toHaveLength(omitted.length);
  });

  test('calls a server', async () => {
    const segment = {
      UUID: 'a',
      category: 'intro',
      actionType: 'skip',
      segment: [1, 2.5],
      videoDuration: 9,
      votes: 1,
      locked: 0,
    };
    await createVideo(t.app.db, {
      id: 'harbour',
      title: 'Harbour at dusk',
      sponsorblock: JSON.stringify({ is_enabled: true, last_refresh: 1, segments: [segment] }),
    });
    const user = await createUser(t);
    const { token } = (await user.call('POST', '/api/user/tokens/', { name: 'test', scopes: ['read', 'watch'] })).json<{
      token: string;
    }>();
    const url = await t.server.listen({ host: '127.0.0.1', port: 0 });
    const { stdout } = await run(python!, ['-c', script, url, token], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual(['Harbour at dusk', [1, 2.5], 404]);
    expect((await user.call('GET', '/api/video/harbour/')).json()).toMatchObject({ player: { watched: true } });
  });
});
