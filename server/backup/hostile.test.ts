import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyKindOfRow } from '../../e2e/backup-rows.ts';
import { aZip, contentOf, done, fill, writeZip } from '../../e2e/backups.ts';
import type { PlainRow } from '../db/copy.ts';
import type { DataTable } from '../db/kept.ts';
import { testArchive, type TestArchive } from '../testing.ts';
import { backupFolder } from './folder.ts';
import { restoreBackup } from './restore-backup.ts';
import { linesIn } from './zip.ts';

// ZIPs made to do harm, or only broken. Each is refused with a sentence, and nothing changes.

const row = { url: 'a', reached: 1, updatedAt: 1 };
const good = { tables: { listing: [row, { ...row, url: 'b' }] } };

/** Changes a name within a finished ZIP: there it stands twice, and no library would write it so. */
async function rename(path: string, from: string, to: string) {
  if (from.length !== to.length) throw new Error('The same length is needed.');
  await writeFile(path, (await readFile(path, 'latin1')).replaceAll(from, to), 'latin1');
}
type Make = (t: TestArchive, name: string) => Promise<unknown>;
const plain = (files: Record<string, string | Buffer>) => (t: TestArchive, name: string) =>
  writeZip(join(backupFolder(t.archive), name), files);
const named = (wrong: string) => async (t: TestArchive, name: string) => {
  const right = 'x'.repeat(wrong.length);
  const path = await aZip(t.archive, name, { ...good, change: (files) => void (files[right] = 'out') });
  await rename(path, right, wrong);
};
/** Writes other numbers into the central directory: at `offset` of the first entry's record. */
const lying = (offset: number, value: number) => async (t: TestArchive, name: string) => {
  const path = await aZip(t.archive, name, good);
  const bytes = await readFile(path);
  bytes.writeUInt32LE(value, bytes.indexOf('PK\u0001\u0002', 0, 'latin1') + offset);
  await writeFile(path, bytes);
};
const withLine = (line: string) => (t: TestArchive, name: string) => aZip(t.archive, name, { tables: { listing: [line] } });
/** Something of everything, with one row changed. */
const withRow = (table: DataTable, change: PlainRow) => (t: TestArchive, name: string) => {
  const tables = everyKindOfRow();
  return aZip(t.archive, name, { tables: { ...tables, [table]: [{ ...tables[table]![0], ...change }] } });
};
const withManifest = (change: (manifest: Record<string, unknown>) => void) => (t: TestArchive, name: string) =>
  aZip(t.archive, name, { ...good, change: (_, manifest) => change(manifest) });

const cases: [what: string, make: Make, says: RegExp][] = [
  ['a name that leads out', named('../../../evil.sh'), /cannot be read/],
  ['an absolute name', named('/etc/cron.d/evil'), /cannot be read/],
  ['a name with backslashes', named('..\\..\\evil.exe'), /cannot be read/],
  ['a name of a drive', named('C:/Windows/evil.x'), /cannot be read/],
  ['a file that no backup has', named('tables/evil.sh00'), /not known here/],
  ['a bomb', plain({ 'manifest.json': '{}', 'tables/line-0.ndjson': Buffer.alloc(40_000_000) }), /more than 200 times/],
  ['a size that is a lie', lying(24, 10), /cannot be read/],
  ['a check sum that is a lie', lying(16, 0), /check sum is wrong/],
  ['a link instead of a file', lying(38, 0o120777 * 65536), /a link or a device/],
  [
    'the same name twice',
    async (t, name) =>
      rename(
        await aZip(t.archive, name, { ...good, change: (files) => void (files['manifest.jsom'] = '{}') }),
        'manifest.jsom',
        'manifest.json',
      ),
    /twice/,
  ],
  [
    'half a ZIP',
    async (t, name) => {
      const path = await aZip(t.archive, name, good);
      await writeFile(path, (await readFile(path)).subarray(0, 300));
    },
    /cannot be read/,
  ],
  ['no ZIP at all', (t, name) => writeFile(join(backupFolder(t.archive), name), 'PK\u0003\u0004 but no more'), /cannot be read/],
  ['an empty file', (t, name) => writeFile(join(backupFolder(t.archive), name), ''), /cannot be read/],
  ['nothing that is known', plain({ 'readme.txt': 'hello' }), /neither the manifest/],
  ['a manifest that is no JSON', plain({ 'manifest.json': '{"format": 1,' }), /no JSON/],
  ['a manifest of something else', plain({ 'manifest.json': '[1, 2]' }), /is not right/],
  ['a line that is no JSON', withLine('{"url": '), /no JSON/],
  ['a line of depth', withLine('['.repeat(200_000) + ']'.repeat(200_000)), /no entry of a table/],
  [
    'a value of depth',
    withLine(`{"url":"a","reached":1,"updatedAt":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
    /strange value/,
  ],
  [
    '__proto__',
    withLine('{"__proto__": {"isAdmin": 1}, "url": "a", "reached": 1, "updatedAt": 1}'),
    /not known here: "__proto__"/,
  ],
  [
    'a column that is none',
    withLine('{"url":"a\\"; drop table video; --","reached":1,"updatedAt":1,"x\\" from video; --":1}'),
    /not known here/,
  ],
  [
    'a table that is none',
    withManifest((manifest) => Object.assign(manifest['tables'] as object, { session: { rows: 0, parts: [] } })),
    /table that is not known/,
  ],
  [
    'a part that is missing',
    withManifest((manifest) =>
      Object.assign(manifest['tables'] as object, {
        watch: { rows: 1, parts: [{ name: 'tables/watch-0.ndjson', rows: 1, bytes: 1, sha256: '0'.repeat(64) }] },
      }),
    ),
    /is missing from the ZIP/,
  ],
  [
    'a sum that is wrong',
    withManifest(({ tables }) => {
      (tables as { listing: { parts: { sha256: string }[] } }).listing.parts[0]!.sha256 = '0'.repeat(64);
    }),
    /not what was backed up/,
  ],
  [
    'a count that is wrong',
    withManifest(({ tables }) => {
      (tables as { listing: { rows: number } }).listing.rows = 5;
    }),
    /promises 5/,
  ],
  [
    'a file that would stand elsewhere',
    withManifest((manifest) => {
      manifest['files'] = [{ name: 'earlier/../../x.jpg', bytes: 1, sha256: '0'.repeat(64) }];
    }),
    /missing from the ZIP/,
  ],
  ['a film elsewhere', withRow('video', { mediaPath: '../../elsewhere/private.mp4' }), /strange value for mediaPath/],
  ['a film at the root', withRow('video', { mediaPath: '/etc/passwd' }), /strange value for mediaPath/],
  ['a video named after a folder above', withRow('video', { id: '../../x' }), /strange value for id/],
  ['a channel named after a folder above', withRow('channel', { id: '..' }), /strange value for id/],
  ['a playlist named after a folder above', withRow('playlist', { id: '../x' }), /strange value for id/],
  ['a subtitle elsewhere', withRow('subtitle', { path: 'UChere/../../x.vtt' }), /strange value for path/],
  ['an earlier picture elsewhere', withRow('earlier', { what: 'thumbnail', value: '../x.jpg' }), /strange value for value/],
  ['a file of the bin elsewhere', withRow('binFile', { path: 'cache:../reelkeep.db' }), /strange value for path/],
  ['a file of the bin under a name elsewhere', withRow('binFile', { name: '../x.mp4' }), /strange value for name/],
  ['a deletion in a folder elsewhere', withRow('bin', { folder: '../x' }), /strange value for folder/],
  [
    'a film elsewhere, in the bin',
    withRow('binRows', { ofTable: 'video', rows: JSON.stringify([{ id: 'x', mediaPath: '../x.mp4' }]) }),
    /strange value for rows/,
  ],
  ['something else in the bin', withRow('binRows', { ofTable: 'video', rows: '{"a":' }), /strange value for rows/],
  [
    'a newer format',
    withManifest((manifest) => {
      manifest['format'] = 2;
    }),
    /newer version/,
  ],
];

describe('a restore refuses', () => {
  let t: TestArchive;
  let before: Awaited<ReturnType<typeof contentOf>>;
  beforeAll(async () => {
    t = await testArchive({ onDisk: true });
    await t.runner.begin();
    await fill(t.archive.db);
    before = await contentOf(t.archive.db);
  });
  afterAll(() => t.close());

  test.each(cases)('%s', async (_, make, says) => {
    await aZip(t.archive, 'ta_backup-20260101-first.zip'); // makes the folder
    await make(t, 'ta_backup-20260102-bad.zip');
    const said = await done(
      t,
      t.archive.tasks.start(restoreBackup, { filename: 'ta_backup-20260102-bad.zip', dry_run: false, watched_for: 'me' }),
    );
    expect([said.status, said.result]).toEqual(['failure', expect.stringMatching(says)]);
    expect(await contentOf(t.archive.db)).toEqual(before);
    expect(({} as { isAdmin?: number }).isAdmin).toBeUndefined();
  });
});

describe('lines', () => {
  async function* inPieces(bytes: Buffer, size: number) {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const read = async (bytes: Buffer, size: number, most?: number) => Array.fromAsync(linesIn(inPieces(bytes, size), most));

  test('come out as they went in, however they are cut into pieces', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' })), fc.integer({ min: 1, max: 50 }), async (texts, size) => {
        const lines = texts.map((text) => text.replaceAll('\n', ' '));
        expect(await read(Buffer.from(lines.map((line) => `${line}\n`).join('')), size)).toEqual(lines);
      }),
    ));

  test('that are too long are passed over, and only they', async () => {
    const bytes = Buffer.from(`short\n${'x'.repeat(5000)}\nlast`);
    expect(await read(bytes, 100, 1000)).toEqual(['short', null, 'last']);
  });
});
