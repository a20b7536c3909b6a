import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, engines } from '#server/test-support/app.ts';
import { freePort, nginxPath, startNginx } from '#server/test-support/nginx.ts';
import { eventually } from '../support/acquisition.ts';
import { addressOf, createTempFolder, logInToProgram, startProgram, type ApiClient, type Program } from '../support/program.ts';

// Two web servers behind nginx with the configuration of compose.cluster.yaml.

describe.runIf(engines.length > 1 && nginxPath)('two web servers behind nginx', () => {
  let folder: Awaited<ReturnType<typeof createTempFolder>>;
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let nginx: Awaited<ReturnType<typeof startNginx>>;
  const programs: Program[] = [];
  let address: string;
  let visitor: ApiClient;

  const start = async (name: string) => {
    const program = await startProgram({
      data: join(folder.path, name),
      env: {
        REELKEEP_DATABASE: database.url,
        REELKEEP_MEDIA: join(folder.path, 'media'),
        REELKEEP_CACHE: join(folder.path, 'cache'),
        REELKEEP_KEY: '5a'.repeat(32),
        REELKEEP_NODE: name,
        REELKEEP_ROLE: 'web',
        REELKEEP_TRUSTED_PROXIES: '127.0.0.1',
      },
    });
    programs.push(program);
    return addressOf(program);
  };

  beforeAll(async () => {
    [folder, database] = await Promise.all([createTempFolder(), createDatabase()]);
    const web = await Promise.all([start('web-1'), start('web-2')]);
    const port = await freePort();
    const addresses = web.map((one) => new URL(one).host);
    const config = readFileSync(join(import.meta.dirname, '../../deploy/nginx.cluster.conf'), 'utf8')
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
      .replaceAll(/172\.31\.250\.1[12]:8000/g, () => addresses.shift()!);
    nginx = await startNginx(folder.path, config);
    address = `http://127.0.0.1:${port}`;
    await eventually(
      () =>
        fetch(`${address}/livez/`).then(
          ({ ok }) => ok,
          () => false,
        ),
      'nginx',
    );
    visitor = await logInToProgram(address);
  });
  afterAll(async () => {
    await nginx?.stop();
    for (const { child, ended } of programs) {
      child.kill('SIGKILL');
      await ended;
    }
    await database.drop();
    await folder.remove();
  });

  test('passes uploads and ranges, and gives each request an id', async () => {
    const { headers } = visitor;
    const upload = await fetch(`${address}/api/appsettings/backup/ta_backup-20260101-manual.zip/file`, {
      method: 'PUT',
      headers: { ...headers, 'x-csrftoken': /csrftoken=([^;]+)/.exec(headers.cookie)![1]!, 'content-type': 'application/zip' },
      body: Buffer.alloc(5_000_000),
    });
    // The request reached a server, which rejects the content.
    expect([upload.status, await upload.json()]).toMatchObject([400, { error: expect.stringMatching(/backup|ZIP/i) }]);
    const page = await fetch(address, { headers });
    expect(page.headers.get('x-request-id')).toMatch(/^[\da-f]{32}$/);
    const [, script] = /<script[^>]* src="([^"]+\.js)"/.exec(await page.text())!;
    const part = await fetch(new URL(script!, `${address}/`), { headers: { range: 'bytes=0-9' } });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10]);
  });

  test('delivers events of the other server immediately, and goes on when one server is killed', async () => {
    const { headers } = visitor;
    const stream = await fetch(`${address}/api/events/`, { headers });
    let events = '';
    const reading = (async () => {
      for await (const text of stream.body!.pipeThrough(new TextDecoderStream())) events += text;
    })().catch(() => {}); // the stream ends with its server
    // Requests go to both servers; one of them has the stream.
    for (let n = 0; n < 4; n++) expect((await visitor.call('POST', '/api/user/me/', { page_size: 20 + n })).status).toBe(200);
    await eventually(async () => events.includes('event: changed'), 'an event');
    programs[0]!.child.kill('SIGKILL');
    await programs[0]!.ended;
    for (let n = 0; n < 4; n++) expect((await visitor.call('POST', '/api/user/me/', { page_size: 30 + n })).status).toBe(200);
    programs[1]!.child.kill('SIGKILL');
    await reading;
  });
});
