import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigProblem } from './config-problem.ts';
import { effective, readConfig } from './config.ts';
import { misspelled, ofOriginal } from './environment-words.ts';

test('without any variable there is a whole configuration', () => {
  expect(readConfig({})).toMatchObject({ port: 8000, host: '0.0.0.0', username: 'admin', allowPrivate: [], basePath: '' });
  expect(readConfig({ REELKEEP_DATA: '/srv/archive' })).toMatchObject({
    mediaFolder: '/srv/archive/media',
    cacheFolder: '/srv/archive/cache',
  });
});

test('the names of the program people come from mean the same', () => {
  expect(readConfig({ TA_PORT: '9000', TA_USERNAME: 'maria', TA_MEDIA_DIR: '/youtube' })).toMatchObject({
    port: 9000,
    username: 'maria',
    mediaFolder: '/youtube',
  });
  expect(readConfig({ TA_PORT: '9000', REELKEEP_PORT: '9001' }).port).toBe(9001);
});

test.each([
  [{ REELKEEP_PORT: 'eighty' }, /REELKEEP_PORT is not understood: write a number/],
  [{ REELKEEP_PORT: '70000' }, /REELKEEP_PORT/],
  [{ REELKEEP_DATABASE: 'mysql://x' }, /REELKEEP_DATABASE is not understood: write postgres:/],
  [{ REELKEEP_PROXY: 'socks5://x' }, /REELKEEP_PROXY/],
  [{ REELKEEP_BASE_PATH: 'tube videos' }, /REELKEEP_BASE_PATH/],
  [
    { REELKEEP_TRUSTED_PROXIES: '10.0.0.0/8, proxy.lan' },
    /REELKEEP_TRUSTED_PROXIES is not understood: write addresses or ranges/,
  ],
  [{ REELKEEP_METRICS_TOKEN: 'short' }, /REELKEEP_METRICS_TOKEN is not understood: use at least 16 characters/],
  [{ REELKEEP_LOG: 'loud' }, /^REELKEEP_LOG is not understood: write fatal, error, warn, info, debug, trace or silent\.$/],
  [
    { REELKEEP_ALLOW_PRIVATE: '192.168.1.0/33' },
    /^REELKEEP_ALLOW_PRIVATE is not understood: write host names, addresses or ranges/,
  ],
  [{ REELKEEP_ALLOW_PRIVATE: 'nas.lan, http://nas.lan' }, /^REELKEEP_ALLOW_PRIVATE is not understood: write host names/],
  [
    { REELKEEP_FORWARD_AUTH: 'on', REELKEEP_TRUSTED_PROXIES: '0.0.0.0/1,128.0.0.0/1' },
    /REELKEEP_TRUSTED_PROXIES must name its address, and not so much as 0\.0\.0\.0\/1/,
  ],
  [{ DISABLE_CORS: 'perhaps' }, /DISABLE_CORS is not understood: write on or off/],
  [{ REELKEEP_PASSWORD_FILE: '/nowhere/password' }, /REELKEEP_PASSWORD_FILE names \/nowhere\/password, which cannot be read/],
])('%o is refused with a sentence that names it', (env, sentence) => {
  expect(() => readConfig(env as Record<string, string>)).toThrow(sentence);
  expect(() => readConfig(env as Record<string, string>)).toThrow(ConfigProblem);
});

test('what downloads may reach is read as people write it', () => {
  const allowed = (text: string) => readConfig({ REELKEEP_ALLOW_PRIVATE: text }).allowPrivate;
  expect(allowed('nas.lan, 192.168.1.0/24 fd00::/8 [fd12::1] 10.0.0.7')).toHaveLength(5);
  expect([allowed('on'), allowed('off'), allowed('')]).toEqual([['*'], [], []]);
});

test('a secret may stand in a file', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'reelkeep-')), 'password');
  writeFileSync(path, 'from a file\n');
  expect(readConfig({ REELKEEP_PASSWORD_FILE: path }).password).toBe('from a file');
});

test('a name that is spelled wrong is noticed, with the one that may be meant', () => {
  const env = { REELKEEP_PROT: '1', REELKEEP_PORT: '1', REELKEEP_PASSWORD_FILE: 'x', REELKEEP_SOMETHING_ELSE: '1', HOME: '/' };
  expect(misspelled(env)).toEqual([
    'REELKEEP_PROT is not a name we know; is REELKEEP_PORT meant?',
    'REELKEEP_SOMETHING_ELSE is not a name we know; is it spelled right?',
  ]);
  expect(misspelled({ REELKEEP_DATABASE_URL: 'x', REELKEEP_TRUSTED_PROXYS: 'x' })).toEqual([
    'REELKEEP_DATABASE_URL is not a name we know; is REELKEEP_DATABASE meant?',
    'REELKEEP_TRUSTED_PROXYS is not a name we know; is REELKEEP_TRUSTED_PROXIES meant?',
  ]);
});

test('each name of the program people come from is told by ours, or what is instead', () => {
  const env = {
    TA_PORT: '9000',
    TA_USERNAME: 'a',
    REELKEEP_USERNAME: 'b',
    TA_HOST: 'http://nas',
    ELASTIC_PASSWORD_FILE: '/run/x',
    TZ: 'UTC',
  };
  expect(ofOriginal(env)).toEqual([
    'TA_PORT counts; here it is called REELKEEP_PORT.',
    'TA_USERNAME does not count, as REELKEEP_USERNAME is set.',
    expect.stringMatching(/^TA_HOST is not needed here/),
    'ELASTIC_PASSWORD is about a server that is not needed here.',
  ]);
  expect(ofOriginal({ REELKEEP_PORT: '1' })).toEqual([]);
});

test('what counts is told with who says so, and no secret', () => {
  const known = new Map(effective({ TA_PORT: '9000', REELKEEP_PROXY: 'http://a:secret@b' }).map((one) => [one.name, one]));
  expect(known.get('REELKEEP_PORT')).toMatchObject({ text: '9000', under: 'TA_PORT' });
  expect(known.get('REELKEEP_HOST')).toMatchObject({ text: '0.0.0.0', under: undefined });
  expect(JSON.stringify([...known.values()])).not.toContain('secret@');
});
