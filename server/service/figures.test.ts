import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { takeOne } from '../download/take-one.ts';
import { claimNext } from '../download/store.ts';
import { aChannel, aQueueItem, aUser, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';

const names = (text: string) => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!);
const valueOf = (text: string, line: string) => {
  const found = text.split('\n').find((one) => one.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length + 1));
};

describe.each(engines)('the figures, on $engine', (on) => {
  let t: TestArchive;
  let staff: Awaited<ReturnType<typeof aUser>>;
  beforeEach(async () => {
    t = await testArchive({ on, env: { REELKEEP_METRICS_TOKEN: 'a token of 16 letters'.replaceAll(' ', '-') } });
    staff = await aUser(t, { isStaff: true });
  });
  afterEach(() => t.close());

  const scrape = async () => (await staff.call('GET', '/metrics')).body;

  test('staff read them, and whoever has the token of the configuration; nobody else', async () => {
    const { token } = (await staff.call('GET', '/api/appsettings/token/')).json();
    const status = async (authorization: string) =>
      (await t.app.inject({ url: '/metrics', headers: { authorization } })).statusCode;
    expect(await status('Bearer a-token-of-16-letters')).toBe(200);
    expect(await status(`Token ${token}`)).toBe(200);
    for (const wrong of [
      'Bearer a-token-of-16-letter',
      'Bearer ',
      'Bearer undefined',
      `Bearer ${token}`,
      'Token a-token-of-16-letters',
      'Basic YTph',
    ])
      expect(await status(wrong), wrong).toBe(403);
    expect((await (await aUser(t)).call('GET', '/metrics')).statusCode).toBe(403);
    const answer = await staff.call('GET', '/metrics');
    expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
  });

  test('they say what is there and what happened', async () => {
    const channelId = await aChannel(t.archive.db);
    await aVideo(t.archive.db, { channelId, sizeBytes: 1000 });
    await aVideo(t.archive.db, { channelId, sizeBytes: 234, kind: 'shorts', isActive: 0, damage: 'It is shorter.' });
    await aQueueItem(t.archive.db);
    await t.archive.db
      .insertInto('sitePause')
      .values({ site: 'youtube', untilAt: t.archive.now() + 60, failure: 'blocked', message: '', times: 1 })
      .execute();
    await t.app.inject({ method: 'POST', url: '/api/user/login/', payload: { username: 'nobody', password: 'guess' } });
    await staff.call('GET', '/api/channel/UCone/');
    await staff.call('GET', '/api/channel/UCother/');
    const text = await scrape();
    expect(valueOf(text, 'reelkeep_videos{type="videos",state="active"}')).toBe(1);
    expect(valueOf(text, 'reelkeep_videos{type="shorts",state="gone"}')).toBe(1);
    expect(valueOf(text, 'reelkeep_library_bytes')).toBe(1234);
    expect(valueOf(text, 'reelkeep_verify_failures')).toBe(1);
    expect(valueOf(text, 'reelkeep_queue_items{status="pending",class="none"}')).toBe(1);
    expect(valueOf(text, 'reelkeep_site_paused{site="youtube"}')).toBe(1);
    expect(valueOf(text, 'reelkeep_login_failures_total')).toBe(1);
    expect(valueOf(text, 'reelkeep_http_request_seconds_count{route="/api/channel/:id/",method="GET",status="404"}')).toBe(2);
    expect(valueOf(text, 'reelkeep_disk_free_bytes{folder="media"}')).toBeGreaterThan(0);
    expect(text).toMatch(/reelkeep_build_info\{version="v?[\d.]+",node="26[^"]*",sqlite="[\d.]+"/);
    expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(10e6);
    expect(valueOf(text, 'process_start_time_seconds')).toBeLessThanOrEqual(Date.now() / 1000);
    const spent = valueOf(text, 'process_cpu_seconds_total')!;
    const later = valueOf(await scrape(), 'process_cpu_seconds_total')!;
    // What it has spent in all, however often somebody looks.
    expect([later >= spent, later < 2 * spent]).toEqual([true, true]);
    expect(text).toContain('# TYPE process_cpu_seconds_total counter');
    expect(text).not.toContain('UCone');
  });

  test('a task and a failed download are counted', async () => {
    await aQueueItem(t.archive.db, { url: 'https://nowhere.invalid/' });
    const item = (await claimNext(t.archive.db, {
      runId: t.archive.runId,
      now: t.archive.now(),
      autoOnly: false,
    } as never)) as never;
    if (item)
      await takeOne(
        t.archive,
        item,
        { id: 'x', input: {}, againSince: null, signal: new AbortController().signal, report() {}, skip() {}, note() {} },
        { pausesFirst: false },
      );
    await t.runner.begin();
    const before = await scrape();
    for (const outcome of ['success', 'failure', 'stopped'])
      expect(valueOf(before, `reelkeep_task_total{name="thumbnail_check",outcome="${outcome}"}`)).toBe(0);
    await staff.call('POST', '/api/task/by-name/thumbnail_check/');
    await t.runner.idle();
    const text = await scrape();
    const ended = (outcome: string) => valueOf(text, `reelkeep_task_total{name="thumbnail_check",outcome="${outcome}"}`)!;
    expect(ended('success') + ended('failure')).toBe(1);
    expect(text).toMatch(/reelkeep_download_failures_total\{site="youtube",class="[\w-]+"\} 1/);
  });

  test('what could grow for ever does not: addresses that are none, and sites', async () => {
    for (let n = 0; n < 60; n++) {
      await t.app.inject({ url: `/nothing/${n}` });
      await t.app.inject({ url: `/youtube/${n}/x.mp4` });
      t.archive.meter.downloadFailures.inc({ site: t.archive.meter.site(`site${n}`), class: 'gone' });
    }
    const text = await scrape();
    expect(text).not.toContain('/nothing/');
    expect(text.match(/download_failures_total\{/g)!.length).toBeLessThanOrEqual(51);
    expect(valueOf(text, 'reelkeep_download_failures_total{site="other",class="gone"}')).toBe(10);
    expect(text.split('\n').length).toBeLessThan(600);
  });

  test('the alert rules and the scrape of docs/operations.md are right, and name what there is', async () => {
    const there = names(await scrape());
    const doc = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const blocks = [...doc.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => parse(text!) as Record<string, never>);
    const rules = blocks
      .flatMap((block) => (block as { groups?: { rules: { alert: string; expr: string }[] }[] }).groups ?? [])
      .flatMap((group) => group.rules);
    expect(rules.length).toBe(3);
    for (const { alert, expr } of rules) {
      const named = expr.match(/reelkeep_\w+/g) ?? [];
      expect(named.length, alert).toBeGreaterThan(0);
      for (const name of named) expect(there, alert).toContain(name);
    }
    expect(blocks.some((block) => 'scrape_configs' in block)).toBe(true);
  });

  test('the dashboard for Grafana shows what there is, each of it once, and nothing lies over another', async () => {
    interface Panel {
      id: number;
      gridPos: { x: number; y: number; w: number; h: number };
      targets?: { expr: string }[];
    }
    const there = names(await scrape());
    const text = readFileSync(new URL('../../deploy/grafana.json', import.meta.url), 'utf8');
    const { panels } = JSON.parse(text) as { panels: Panel[] };
    const asked = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    const named = new Set(asked.flatMap((expr) => expr.match(/\b(reelkeep|process|nodejs)_\w+/g) ?? []));
    // A histogram is asked for by its parts.
    expect([...named].filter((name) => !there.includes(name.replace(/_(bucket|count|sum)$/, '')))).toEqual([]);
    const shown = [...named].join(' ');
    // Versions, and since when it runs, are no curves.
    const left = ['reelkeep_build_info', 'process_start_time_seconds', 'process_open_fds'];
    expect(there.filter((name) => !shown.includes(name) && !left.includes(name))).toEqual([]);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const places = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`),
    );
    expect(new Set(places).size).toBe(places.length);
    expect(Math.max(...panels.map(({ gridPos }) => gridPos.x + gridPos.w))).toBe(24);
  });
});

test('a look at 50,000 videos costs hardly more than one at none', async () => {
  const env = { REELKEEP_METRICS_TOKEN: 'a-token-of-16-letters' };
  const [t, empty] = [await testArchive({ env }), await testArchive({ env })];
  const scrape = ({ app }: TestArchive) =>
    app.inject({ url: '/metrics', headers: { authorization: `Bearer ${env.REELKEEP_METRICS_TOKEN}` } });
  const typical = async (of: TestArchive) => {
    const times: number[] = [];
    for (let n = 0; n < 51; n++) {
      const from = performance.now();
      await scrape(of);
      times.push(performance.now() - from);
    }
    return times.toSorted((a, b) => a - b)[25]!;
  };
  try {
    const channelId = await aChannel(t.archive.db);
    const row = {
      site: 'youtube',
      channelId,
      title: 'T',
      sortTitle: 't',
      kind: 'videos' as const,
      publishedAt: 1,
      downloadedAt: 1,
      refreshedAt: 1,
      durationSeconds: 60,
      sizeBytes: 10,
      sha256: '',
    };
    for (let part = 0; part < 100; part++)
      await t.archive.db
        .insertInto('video')
        .values(
          Array.from({ length: 500 }, (_, n) => ({
            ...row,
            id: `${part}-${n}`,
            siteId: `${part}-${n}`,
            mediaPath: `${part}-${n}.mp4`,
          })),
        )
        .execute();
    expect((await scrape(t)).body).toContain('reelkeep_library_bytes 500000');
    // To go through them all takes a hundred times as long.
    expect((await typical(t)) / (await typical(empty))).toBeLessThan(10);
  } finally {
    await empty.close();
    await t.close();
  }
});
