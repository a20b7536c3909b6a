import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { failuresSentences } from '#contract/sentences-failures.ts';
import { workSentences } from '#contract/sentences-work.ts';
import { tasks } from '../rooms.ts';
import { aUser, testArchive } from '../testing.ts';
import { saidBy } from './said.ts';

test('a text is told by its codes and what is filled in; one part that is not known makes it unknown', () => {
  expect(saidBy('Looking at Night Trains (3/12)')).toEqual([
    { code: 'scan.looking', values: { name: 'Night Trains', place: '3', count: '12' } },
  ]);
  expect(saidBy('12.5% of 100.00MiB at 2.00MiB/s - time left: 00:44')?.[0]).toMatchObject({
    code: 'download.progress-all',
    values: { percent: '12.5', size: '100.00MiB', speed: '2.00MiB', left: '00:44' },
  });
  expect(saidBy('4.2 GB are free for media. Downloads wait until 10 GB are free.')?.map(({ code }) => code)).toEqual([
    'doctor.free',
    'doctor.reserve',
  ]);
  expect(saidBy('It is too short. It is marked as gone.')?.map(({ code }) => code)).toEqual(['rule.short', 'scan.gone']);
  for (const strange of ['', null, 'Something else.', 'It is too short. And blue.', `It is ${'x'.repeat(2000)}`])
    expect(saidBy(strange)).toBeNull();
  for (const way of ['ahead', 'behind']) expect(saidBy(`The clock is 400 seconds ${way}.`)?.[0]?.code).toBe(`doctor.${way}`);
  for (const ago of ['less than an hour ago', '3 hours ago', '4 days ago']) {
    const text = `Last backup ${ago} (a.zip), looked over when it came. Last snapshot ${ago}, read again after it was written.`;
    expect(saidBy(text)).toHaveLength(2);
  }
  const counts = [
    { code: 'count.video', values: { count: '3' } },
    { code: 'count.was-here', values: { count: '1' } },
    { code: 'count.channel-one', values: { count: '1' } },
  ];
  expect(saidBy('It would bring 3 videos (1 was here), 1 channel. 2 problems. Nothing was changed.')).toEqual([
    { code: 'restore.would-bring', values: { counts } },
    { code: 'restore.counts', values: { counts: [{ code: 'count.problem', values: { count: '2' } }] } },
    { code: 'restore.unchanged', values: {} },
  ]);
  expect(saidBy('It would bring 3 videos, 1 elephant. Nothing was changed.')).toBeNull();
  // The title of a video may be the name of a task.
  expect([saidBy('Downloading'), saidBy('Files')]).toEqual([null, null]);
});

test('every task that people see has its name among the sentences', () => {
  const named: Record<string, string> = workSentences;
  for (const { name, title } of tasks) expect([name, named[`task.${name}`]]).toEqual([name, title]);
});

/** Whole sentences in the code of a file; what is filled in is `7`. */
function sentencesIn(path: string): string[] {
  const code = readFileSync(path, 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(^|\s)\/\/.*$/gm, '');
  const texts = code.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\$]|\$\{[^{}`]*\})*)`/g);
  return [...texts]
    .map(([, a, b, c]) => (a ?? b ?? c ?? '').replaceAll(/\$\{[^{}]*\}/g, '7').replaceAll(/\\(.)/g, '$1'))
    .filter((text) => /^[A-Z].* .*[.)]$/.test(text));
}

test.each([
  'server/ytdlp/failure.ts',
  'server/download/failure.ts',
  'server/download/take-one.ts',
  'server/download/archive-video.ts',
  'server/service/doctor.ts',
  'server/service/update-ytdlp.ts',
  'server/user/people.ts',
  'server/video/pack-anew.ts',
  'server/library/import-notes.ts',
  'server/library/verify-files.ts',
  'server/backup/check.ts',
  'server/backup/kind.ts',
  'server/backup/load.ts',
  'server/backup/manifest.ts',
  'server/backup/original-channels.ts',
  'server/backup/original-config.ts',
  'server/backup/original-merge.ts',
  'server/backup/original-pairs.ts',
  'server/backup/original-texts.ts',
  'server/backup/original-videos.ts',
  'server/backup/restore-backup.ts',
  'server/backup/zip.ts',
])('every sentence of %s has its code', (path) => {
  const without = [
    '7 It was left as it is. If it is this video, rescan; else move it away, then try again.',
    // What is filled in are words: above.
    'The clock is 7 seconds 7.',
    'Last backup 7 (7), looked over when it came.',
    'Last snapshot 7, read again after it was written.',
  ];
  const sentences = sentencesIn(path).filter((text) => !without.includes(text));
  expect(sentences.length).toBeGreaterThan(0);
  expect(sentences.filter((text) => saidBy(text) === null)).toEqual([]);
});

test('what tasks report has a code, wherever it is written', () => {
  const reports = globSync('server/**/*.ts')
    .filter((path) => !/test/.test(path))
    .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/report\(\{\s*messages: \[(?:[\w.]+, )?(['`])(.*?)\1/gs)])
    .map(([, , text = '']) => text.replaceAll(/\$\{[^{}]*\}/g, '7'));
  expect(reports.length).toBeGreaterThan(30);
  expect(reports.filter((text) => saidBy(text) === null)).toEqual([]);
});

test('a refusal says its sentence as ever, and its code beside', async () => {
  const t = await testArchive();
  try {
    const anna = await aUser(t);
    const answer = await anna.call('POST', '/api/user/login/', { username: anna.name, password: 'wrong' });
    expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'Invalid credentials' }]);
    const said = (answer: { headers: Record<string, unknown> }) =>
      JSON.parse(decodeURIComponent(String(answer.headers['reelkeep-said']))) as unknown;
    expect(said(answer)).toEqual([{ code: 'no.credentials', values: {} }]);
    expect(said(await anna.call('GET', '/api/video/nothing0001/'))).toEqual([{ code: 'no.video', values: {} }]);
    expect((await anna.call('GET', '/api/doctor/')).headers['reelkeep-said']).toBeDefined();
    const staff = await aUser(t, { isStaff: true });
    const checks = (await staff.call('GET', '/api/doctor/')).json<
      { name: string; title: string; said: unknown; says: string }[]
    >();
    const named: Record<string, string> = failuresSentences;
    for (const { name, title, said: codes, says } of checks)
      expect([name, named[`check.${name}`], codes === null && says]).toEqual([name, title, false]);
  } finally {
    await t.close();
  }
});
