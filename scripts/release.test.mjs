import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { root } from './node.mjs';
import { checkVersion, releaseNotes } from './release.mjs';

const changelog =
  '# Changelog\n\nText.\n\n## Unreleased\n\n- New\n\n## [1.10.0] - 2026-12-01\n\n### Added\n\n- Later\n\n## 1.1.0\n\n- First\n';

describe('the notes of a release', () => {
  test('are the entries of its version', () => {
    expect(releaseNotes(changelog, '1.10.0')).toBe('### Added\n\n- Later\n');
    expect(releaseNotes(changelog, '1.1.0')).toBe('- First\n');
  });

  test.each(['1.1', '1.1.1', '2.0.0'])('of a version without entries are an error: %s', (version) => {
    expect(() => releaseNotes(changelog, version)).toThrow(`no entries for ${version}`);
  });

  test('of a version with an empty section are an error', () => {
    expect(() => releaseNotes('# Changelog\n\n## 1.0.0\n\n## 0.9.0\n\n- a\n', '1.0.0')).toThrow('no entries for 1.0.0');
  });
});

test('a tag must have the version of the files', () => {
  expect(checkVersion('v1.2.3', { 'package.json': '1.2.3' })).toBe('1.2.3');
  expect(() => checkVersion('v1.2.3', { 'package.json': '1.2.4' })).toThrow('package.json has the version 1.2.4');
  expect(() => checkVersion('1.2.3', {})).toThrow('form v1.2.3');
  expect(() => checkVersion('v1.2.3-rc.1', {})).toThrow('form v1.2.3');
});

describe('the files of a release', () => {
  let folder;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'reelkeep-release-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const run = (...args) => spawnSync(process.execPath, ['scripts/release.mjs', ...args], { cwd: root, encoding: 'utf8' });
  const read = (name) => readFileSync(join(folder, name), 'utf8');

  test('are source, bill of materials, checksums and notes', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(run(`v${version}`, folder)).toMatchObject({ status: 0, stderr: '' });
    const base = `reelkeep-${version}`;
    const names = execFileSync('tar', ['-tzf', join(folder, `${base}.tar.gz`)], { encoding: 'utf8' }).split('\n');
    expect(names).toEqual(expect.arrayContaining([`${base}/package.json`, `${base}/server/main.ts`]));
    const bill = JSON.parse(read(`${base}.cdx.json`));
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'reelkeep', version } } });
    expect(bill.components.map(({ name }) => name)).toEqual(expect.arrayContaining(['fastify', 'kysely', 'react']));
    expect(spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder }).status).toBe(0);
    expect(read('SHA256SUMS').trim().split('\n').length).toBe(2);
    expect(read('notes.md')).toMatch(/^.+/);
  });

  test('are not written for another version', () => {
    expect(run('v99.0.0', folder)).toMatchObject({ status: 1, stderr: expect.stringContaining('v99.0.0') });
  });
});
