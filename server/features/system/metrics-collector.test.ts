import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { processItem } from '../download/process-item.ts';
import { claimNext } from '../../archive/queue/claims.ts';
import {
  createChannel,
  createQueueItem,
  createUser,
  createVideo,
  engines,
  testApp,
  type TestApp,
} from '../../test-support/app.ts';

const names = (text: string) => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!);
const valueOf = (text: string, line: string) => {
  const found = text.split('\n').find((one) => one.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length + 1));
};

describe.each(engines)('metrics, on $engine', (on) => {
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    t = await testApp({ on, env: { REELKEEP_METRICS_TOKEN: 'a token of 16 letters'.replaceAll(' ', '-') } });
    staff = await createUser(t, { isStaff: true });
  });
  afterEach(() => t.close());

  const scrape = async () => (await staff.call('GET', '/metrics')).body;

  test('are readable by staff and with the configured token only', async () => {
    const { token } = (await staff.call('GET', '/api/appsettings/token/')).json();
    const status = async (authorization: string) =>
      (await t.server.inject({ url: '/metrics', headers: { authorization } })).statusCode;
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
    expect((await (await createUser(t)).call('GET', '/metrics')).statusCode).toBe(403);
    const response = await staff.call('GET', '/metrics');
    expect(response.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
  });

  test('contain current counts and events', async () => {
    const channelId = await createChannel(t.app.db);
    await createVideo(t.app.db, { channelId, sizeBytes: 1000 });
    await createVideo(t.app.db, { channelId, sizeBytes: 234, kind: 'shorts', isActive: 0, damage: 'It is shorter.' });
    await createQueueItem(t.app.db);
    await t.app.db
      .insertInto('siteCooldown')
      .values({ site: 'youtube', egress: '', untilAt: t.app.now() + 60, failure: 'blocked', message: '', refusals: 1 })
      .execute();
    await t.server.inject({ method: 'POST', url: '/api/user/login/', payload: { username: 'nobody', password: 'guess' } });
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
    const cpuSeconds = valueOf(text, 'process_cpu_seconds_total')!;
    const cpuSecondsLater = valueOf(await scrape(), 'process_cpu_seconds_total')!;
    // A scrape reports the total, not the sum of all scrapes.
    expect([cpuSecondsLater >= cpuSeconds, cpuSecondsLater < 2 * cpuSeconds]).toEqual([true, true]);
    expect(text).toContain('# TYPE process_cpu_seconds_total counter');
    expect(text).not.toContain('UCone');
  });

  test('count a task and a failed download', async () => {
    await createQueueItem(t.app.db, { url: 'https://nowhere.invalid/' });
    const item = (await claimNext(t.app.db, {
      runId: t.app.runId,
      now: t.app.now(),
      autoOnly: false,
    } as never)) as never;
    if (item)
      await processItem(
        t.app,
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

  test('labels are bounded for unknown URLs and sites', async () => {
    for (let n = 0; n < 60; n++) {
      await t.server.inject({ url: `/nothing/${n}` });
      await t.server.inject({ url: `/youtube/${n}/x.mp4` });
      t.app.metrics.downloadFailures.inc({ site: t.app.metrics.site(`site${n}`), class: 'gone' });
    }
    const text = await scrape();
    expect(text).not.toContain('/nothing/');
    expect(text.match(/download_failures_total\{/g)!.length).toBeLessThanOrEqual(51);
    expect(valueOf(text, 'reelkeep_download_failures_total{site="other",class="gone"}')).toBe(10);
    expect(text.split('\n').length).toBeLessThan(600);
  });

  test('alert rules and scrape configuration of docs/operations.md are valid and use existing metrics', async () => {
    const metricNames = names(await scrape());
    const doc = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    const blocks = [...doc.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => parse(text!) as Record<string, never>);
    const rules = blocks
      .flatMap((block) => (block as { groups?: { rules: { alert: string; expr: string }[] }[] }).groups ?? [])
      .flatMap((group) => group.rules);
    expect(rules.length).toBe(3);
    for (const { alert, expr } of rules) {
      const usedNames = expr.match(/reelkeep_\w+/g) ?? [];
      expect(usedNames.length, alert).toBeGreaterThan(0);
      for (const name of usedNames) expect(metricNames, alert).toContain(name);
    }
    expect(blocks.some((block) => 'scrape_configs' in block)).toBe(true);
  });

  test('the Grafana dashboard shows all metrics once, without overlapping panels', async () => {
    interface Panel {
      id: number;
      gridPos: { x: number; y: number; w: number; h: number };
      targets?: { expr: string }[];
    }
    const metricNames = names(await scrape());
    const text = readFileSync(new URL('../../../deploy/grafana.json', import.meta.url), 'utf8');
    const { panels } = JSON.parse(text) as { panels: Panel[] };
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    const usedNames = new Set(expressions.flatMap((expr) => expr.match(/\b(reelkeep|process|nodejs)_\w+/g) ?? []));
    // Histograms are queried by their parts.
    expect([...usedNames].filter((name) => !metricNames.includes(name.replace(/_(bucket|count|sum)$/, '')))).toEqual([]);
    const dashboardText = [...usedNames].join(' ');
    // Versions and the start time are not plotted.
    const excluded = ['reelkeep_build_info', 'process_start_time_seconds', 'process_open_fds'];
    expect(metricNames.filter((name) => !dashboardText.includes(name) && !excluded.includes(name))).toEqual([]);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...panels.map(({ gridPos }) => gridPos.x + gridPos.w))).toBe(24);
  });
});

test('collecting takes about the same time for 50,000 videos as for none', async () => {
  const env = { REELKEEP_METRICS_TOKEN: 'a-token-of-16-letters' };
  const [t, empty] = [await testApp({ env }), await testApp({ env })];
  const scrape = ({ server }: TestApp) =>
    server.inject({ url: '/metrics', headers: { authorization: `Bearer ${env.REELKEEP_METRICS_TOKEN}` } });
  const medianMs = async (app: TestApp) => {
    const times: number[] = [];
    for (let n = 0; n < 51; n++) {
      const from = performance.now();
      await scrape(app);
      times.push(performance.now() - from);
    }
    return times.toSorted((a, b) => a - b)[25]!;
  };
  try {
    const channelId = await createChannel(t.app.db);
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
      await t.app.db
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
    // Reading all rows would take a hundred times as long.
    expect((await medianMs(t)) / (await medianMs(empty))).toBeLessThan(10);
  } finally {
    await empty.close();
    await t.close();
  }
});
