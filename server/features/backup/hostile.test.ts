import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyKindOfRow } from '../../../e2e/support/backup-rows.ts';
import { aZip, contentOf, done, fill, writeZip } from '../../../e2e/support/backups.ts';
import type { PlainRow } from '../../platform/db/copy/bulk-copy.ts';
import type { DataTable } from '../../platform/db/schema/table-policies.ts';
import { testApp, type TestApp } from '../../test-support/app.ts';
import { backupFolder } from './files/backup-files.ts';
import { restoreBackup } from './restore-backup.ts';
import { linesOfEntry } from '../../platform/files/zip.ts';

// Malicious and broken ZIPs. A restore rejects each with a message and changes nothing.

const row = { url: 'a', position: 1, updatedAt: 1 };
const content = { tables: { listingPosition: [row, { ...row, url: 'b' }] } };

/** Replaces an entry name in a finished ZIP, both in the local and in the central header, because ZIP libraries reject such names. */
async function renameEntry(path: string, from: string, to: string) {
  if (from.length !== to.length) throw new Error('Both names must have the same length.');
  await writeFile(path, (await readFile(path, 'latin1')).replaceAll(from, to), 'latin1');
}
type CreateZip = (t: TestApp, name: string) => Promise<unknown>;
const withFiles = (files: Record<string, string | Buffer>) => (t: TestApp, name: string) =>
  writeZip(join(backupFolder(t.app), name), files);
const withEntryName = (entryName: string) => async (t: TestApp, name: string) => {
  const placeholder = 'x'.repeat(entryName.length);
  const path = await aZip(t.app, name, { ...content, change: (files) => void (files[placeholder] = 'out') });
  await renameEntry(path, placeholder, entryName);
};
/** Overwrites a 32-bit field of the first record in the central directory. */
const withHeaderField = (offset: number, value: number) => async (t: TestApp, name: string) => {
  const path = await aZip(t.app, name, content);
  const bytes = await readFile(path);
  bytes.writeUInt32LE(value, bytes.indexOf('PK\u0001\u0002', 0, 'latin1') + offset);
  await writeFile(path, bytes);
};
const withLine = (line: string) => (t: TestApp, name: string) => aZip(t.app, name, { tables: { listingPosition: [line] } });
/** Sample rows of every table, with one row changed. */
const withRow = (table: DataTable, change: PlainRow) => (t: TestApp, name: string) => {
  const tables = everyKindOfRow();
  return aZip(t.app, name, { tables: { ...tables, [table]: [{ ...tables[table]![0], ...change }] } });
};
const withManifest = (change: (manifest: Record<string, unknown>) => void) => (t: TestApp, name: string) =>
  aZip(t.app, name, { ...content, change: (_, manifest) => change(manifest) });

const cases: [what: string, createZip: CreateZip, expectedError: RegExp][] = [
  ['a name outside the folder', withEntryName('../../../evil.sh'), /cannot be read/],
  ['an absolute name', withEntryName('/etc/cron.d/evil'), /cannot be read/],
  ['a name with backslashes', withEntryName('..\\..\\evil.exe'), /cannot be read/],
  ['a name with a drive letter', withEntryName('C:/Windows/evil.x'), /cannot be read/],
  ['an unknown file', withEntryName('tables/evil.sh00'), /unknown file/],
  [
    'a ZIP bomb',
    withFiles({ 'manifest.json': '{}', 'tables/transcriptLine-0.ndjson': Buffer.alloc(40_000_000) }),
    /more than 200 times/,
  ],
  ['a wrong size', withHeaderField(24, 10), /cannot be read/],
  ['a wrong checksum', withHeaderField(16, 0), /checksum does not match/],
  ['a link instead of a file', withHeaderField(38, 0o120777 * 65536), /a link or a device/],
  [
    'the same name twice',
    async (t, name) =>
      renameEntry(
        await aZip(t.app, name, { ...content, change: (files) => void (files['manifest.jsom'] = '{}') }),
        'manifest.jsom',
        'manifest.json',
      ),
    /twice/,
  ],
  [
    'a truncated ZIP',
    async (t, name) => {
      const path = await aZip(t.app, name, content);
      await writeFile(path, (await readFile(path)).subarray(0, 300));
    },
    /cannot be read/,
  ],
  [
    'a file that is not a ZIP',
    (t, name) => writeFile(join(backupFolder(t.app), name), 'PK\u0003\u0004 but no more'),
    /cannot be read/,
  ],
  ['an empty file', (t, name) => writeFile(join(backupFolder(t.app), name), ''), /cannot be read/],
  ['unknown files only', withFiles({ 'readme.txt': 'hello' }), /neither the manifest/],
  ['a manifest that is not JSON', withFiles({ 'manifest.json': '{"format": 1,' }), /not valid JSON/],
  ['a manifest of something else', withFiles({ 'manifest.json': '[1, 2]' }), /manifest.json in the ZIP is invalid/],
  ['a line that is not JSON', withLine('{"url": '), /not valid JSON/],
  ['a deeply nested line', withLine('['.repeat(200_000) + ']'.repeat(200_000)), /not a table row/],
  [
    'a deeply nested value',
    withLine(`{"url":"a","position":1,"updatedAt":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
    /invalid value/,
  ],
  [
    '__proto__',
    withLine('{"__proto__": {"isAdmin": 1}, "url": "a", "reached": 1, "updatedAt": 1}'),
    /unknown field: "__proto__"/,
  ],
  [
    'an unknown column',
    withLine('{"url":"a\\"; drop table video; --","position":1,"updatedAt":1,"x\\" from video; --":1}'),
    /unknown field/,
  ],
  [
    'an unknown table',
    withManifest((manifest) => Object.assign(manifest['tables'] as object, { session: { rows: 0, parts: [] } })),
    /unknown table/,
  ],
  [
    'a missing part',
    withManifest((manifest) =>
      Object.assign(manifest['tables'] as object, {
        watch: { rows: 1, parts: [{ name: 'tables/watch-0.ndjson', rows: 1, bytes: 1, sha256: '0'.repeat(64) }] },
      }),
    ),
    /is missing from the ZIP/,
  ],
  [
    'a wrong hash in the manifest',
    withManifest(({ tables }) => {
      (tables as { listingPosition: { parts: { sha256: string }[] } }).listingPosition.parts[0]!.sha256 = '0'.repeat(64);
    }),
    /does not match the manifest/,
  ],
  [
    'a wrong row count',
    withManifest(({ tables }) => {
      (tables as { listingPosition: { rows: number } }).listingPosition.rows = 5;
    }),
    /lists 5 rows/,
  ],
  [
    'a file path outside the folder',
    withManifest((manifest) => {
      manifest['files'] = [{ name: 'history/../../x.jpg', bytes: 1, sha256: '0'.repeat(64) }];
    }),
    /missing from the ZIP/,
  ],
  [
    'a media path outside the folder',
    withRow('video', { mediaPath: '../../elsewhere/private.mp4' }),
    /invalid value for mediaPath/,
  ],
  ['an absolute media path', withRow('video', { mediaPath: '/etc/passwd' }), /invalid value for mediaPath/],
  ['a video id that is a parent path', withRow('video', { id: '../../x' }), /invalid value for id/],
  ['a channel id that is a parent path', withRow('channel', { id: '..' }), /invalid value for id/],
  ['a playlist id that is a parent path', withRow('playlist', { id: '../x' }), /invalid value for id/],
  ['a subtitle path outside the folder', withRow('subtitle', { path: 'UChere/../../x.vtt' }), /invalid value for path/],
  [
    'a previous thumbnail outside the folder',
    withRow('metadataHistory', { field: 'thumbnail', value: '../x.jpg' }),
    /invalid value for value/,
  ],
  ['a trash file path outside the folder', withRow('trashFile', { path: 'cache:../reelkeep.db' }), /invalid value for path/],
  ['a trash file name outside the folder', withRow('trashFile', { name: '../x.mp4' }), /invalid value for name/],
  ['a trash folder outside the folder', withRow('trash', { folder: '../x' }), /invalid value for folder/],
  [
    'a media path outside the folder, in the trash',
    withRow('trashRows', { tableName: 'video', rows: JSON.stringify([{ id: 'x', mediaPath: '../x.mp4' }]) }),
    /invalid value for rows/,
  ],
  ['a file of a library view outside its folder', withRow('viewFile', { path: '../../precious.txt' }), /invalid value for path/],
  ['an absolute path of a library view', withRow('viewFile', { path: '/etc/passwd' }), /invalid value for path/],
  ['a key of a library view outside its folder', withRow('viewFile', { key: 'a/../../x' }), /invalid value for key/],
  ['a season of a library view outside its folder', withRow('viewFile', { season: '..' }), /invalid value for season/],
  ['a subtitle language that is a path', withRow('subtitle', { lang: '/../../x' }), /invalid value for lang/],
  ['a channel of the queue that is a parent path', withRow('download', { channelId: '../x' }), /invalid value for channelId/],
  ['invalid rows in the trash', withRow('trashRows', { tableName: 'video', rows: '{"a":' }), /invalid value for rows/],
  [
    'a newer format',
    withManifest((manifest) => {
      manifest['format'] = 2;
    }),
    /newer version/,
  ],
];

describe('a restore rejects', () => {
  let t: TestApp;
  let before: Awaited<ReturnType<typeof contentOf>>;
  beforeAll(async () => {
    t = await testApp({ onDisk: true });
    await t.runner.begin();
    await fill(t.app.db);
    before = await contentOf(t.app.db);
  });
  afterAll(() => t.close());

  test.each(cases)('%s', async (_, createZip, expectedError) => {
    await aZip(t.app, 'ta_backup-20260101-first.zip'); // creates the folder
    await createZip(t, 'ta_backup-20260102-bad.zip');
    const task = await done(
      t,
      t.app.tasks.start(restoreBackup, {
        filename: 'ta_backup-20260102-bad.zip',
        dry_run: false,
        watched_for: 'me',
        accounts: 'stay',
      }),
    );
    expect([task.status, task.result]).toEqual(['failure', expect.stringMatching(expectedError)]);
    expect(await contentOf(t.app.db)).toEqual(before);
    expect(({} as { isAdmin?: number }).isAdmin).toBeUndefined();
  });
});

describe('lines', () => {
  async function* chunksOf(bytes: Buffer, size: number) {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const read = async (bytes: Buffer, size: number, maxLength?: number) =>
    Array.fromAsync(linesOfEntry(chunksOf(bytes, size), maxLength));

  test('are the same however the input is split', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' })), fc.integer({ min: 1, max: 50 }), async (texts, size) => {
        const lines = texts.map((text) => text.replaceAll('\n', ' '));
        expect(await read(Buffer.from(lines.map((line) => `${line}\n`).join('')), size)).toEqual(lines);
      }),
    ));

  test('that are too long are skipped alone', async () => {
    const bytes = Buffer.from(`short\n${'x'.repeat(5000)}\nlast`);
    expect(await read(bytes, 100, 1000)).toEqual(['short', null, 'last']);
  });
});
