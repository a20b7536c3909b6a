/** `npm run bench`: measures the numbers in bench/README.md on this machine. It reports them and has no pass criteria. */
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { demoCatalogue } from '../test-site/demo.ts';
import { fillArchive } from '../test-site/run-demo.ts';
import { startTestSite } from '../test-site/site.ts';
import { testSiteEnv } from '../e2e/support/acquisition.ts';
import { logInToProgram } from '../e2e/support/program.ts';
import { feedToQueue, largeRescan, longListing } from './acquisition.ts';
import { archivingOverhead } from './overhead.ts';
import { clickToFrame, pageFigures } from './pages.ts';
import { residentMib, stop, timedNpmStart, timedStart } from './program.ts';

const rows: [what: string, measured: string, goal: string][] = [];
const note = (what: string, measured: string | null, goal: string) => {
  rows.push([what, measured ?? 'not measured: a program is missing', goal]);
  console.log(`… ${what}: ${rows.at(-1)![1]}`);
};
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;
const mib = (size: number | null) => (size === null ? null : `${size.toFixed(0)} MiB`);

const folder = await mkdtemp(join(tmpdir(), 'reelkeep-bench-'));
try {
  const fresh: number[] = [];
  const restarted: number[] = [];
  for (let run = 0; run < 5; run++) {
    for (const times of [fresh, restarted]) {
      const { program, milliseconds } = await timedStart(join(folder, `start-${run}`));
      times.push(milliseconds);
      await stop(program);
    }
  }
  note('Server, start to first answer, empty data folder (median of 5)', seconds(median(fresh)), '< 3 s');
  note('Server, start to first answer, second start (median of 5)', seconds(median(restarted)), '< 3 s');
  await timedNpmStart(join(folder, 'npm'));
  note('`npm start` to first answer, second start', seconds(await timedNpmStart(join(folder, 'npm'))), '< 3 s');

  const testSite = await startTestSite({ catalogue: demoCatalogue() });
  const { program, address } = await timedStart(join(folder, 'demo'), testSiteEnv(testSite));
  await wait(15_000);
  note('Resident memory, idle, 15 s after start', mib(await residentMib(program)), '< 150 MB');
  await fillArchive(address);
  const visitor = await logInToProgram(address);
  do await wait(2_000);
  while (((await visitor.call('GET', '/api/notification/')).json as unknown[]).length > 0);
  await wait(30_000);
  note('Resident memory, idle, 30 s after the demo has arrived', mib(await residentMib(program)), '< 150 MB');
  const pages = { home: '/', video: '/video/coastNight1/', channels: '/channel/', search: '/search/', downloads: '/downloads/', dashboard: '/settings/' }; // prettier-ignore
  const figures = await pageFigures(address, Object.values(pages));
  for (const [name, path] of Object.entries(pages)) {
    const pageFigure = figures?.get(path);
    note(
      `Page ${name}: scripts, gzip`,
      pageFigure ? `${(pageFigure.scriptBytes / 1000).toFixed(0)} kB` : null,
      name === 'home' ? '≤ 150 kB' : '–',
    );
    note(
      '… first and largest contentful paint',
      pageFigure ? `${pageFigure.firstContentfulPaint.toFixed(0)}, ${pageFigure.largestContentfulPaint.toFixed(0)} ms` : null,
      '–',
    );
    note('… total blocking time', pageFigure ? `${pageFigure.totalBlocking.toFixed(0)} ms` : null, '–');
    note('… layout shift', pageFigure ? pageFigure.layoutShift.toFixed(3) : null, '0');
  }
  const frame = await clickToFrame(address);
  note('From a click on a card to the first frame', frame === null ? null : `${frame.toFixed(0)} ms`, '< 300 ms');
  await stop(program);
  await testSite.close();

  const listing = await longListing(folder);
  note('Entries of a channel of 20,000 listed into the queue, a second', `${listing.perSecond.toFixed(0)}`, '–');
  note('… the most resident memory of the server meanwhile', mib(listing.peakMib), '< 200 MB');
  const feed = await feedToQueue();
  note('From an upload being seen in the feed to its place in the queue', feed === null ? null : seconds(feed), '–');
  const rescan = await largeRescan();
  note('Rescan of 100,000 files', seconds(rescan.seconds * 1000), '< 60 s');
  note('… memory it took beyond that', mib(rescan.grownMib), 'constant');

  const overhead = await archivingOverhead(join(folder, 'overhead'));
  note('Archiving a video of a minute, in all (mean of 10)', overhead && seconds(overhead.eachMs), '–');
  note('… of it while neither yt-dlp nor ffmpeg runs', overhead && seconds(overhead.oursMs), '–');
  note('… as a share of their time', overhead && `${(overhead.share * 100).toFixed(1)} %`, '< 10 %');
} finally {
  await rm(folder, { recursive: true, force: true });
}

const { model } = cpus()[0] ?? { model: 'unknown' };
console.log(`\n${cpus().length} × ${model}, ${process.platform} ${process.arch}, Node ${process.version}\n`);
console.log('| what | measured | goal |\n|---|---|---|');
for (const row of rows) console.log(`| ${row.join(' | ')} |`);
