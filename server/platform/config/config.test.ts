import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError } from './config-error.ts';
import { effectiveConfig, readConfig } from './config.ts';
import { misspelledVariables, tubearchivistVariables } from './env-warnings.ts';

test('has defaults for all variables', () => {
  expect(readConfig({})).toMatchObject({ port: 8000, host: '0.0.0.0', username: 'admin', allowPrivate: [], basePath: '' });
  expect(readConfig({ REELKEEP_DATA: '/srv/archive' })).toMatchObject({
    mediaFolder: '/srv/archive/media',
    cacheFolder: '/srv/archive/cache',
  });
});

test('accepts database URLs with one host', () => {
  for (const url of ['postgres://me:a,b@database:5432/x?a=b,c', 'postgresql:///x?host=/run/postgresql'])
    expect(readConfig({ REELKEEP_DATABASE: url }).databaseUrl).toBe(url);
});

test('accepts TubeArchivist variable names', () => {
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
  [{ REELKEEP_DATABASE: 'postgres://me:a,b@one,two/x' }, /REELKEEP_DATABASE is not understood: name one host/],
  [{ REELKEEP_PROXY: 'socks5://x' }, /REELKEEP_PROXY/],
  [{ REELKEEP_BASE_PATH: 'tube videos' }, /REELKEEP_BASE_PATH/],
  [
    { REELKEEP_TRUSTED_PROXIES: '10.0.0.0/8, proxy.lan' },
    /REELKEEP_TRUSTED_PROXIES is not understood: write addresses or ranges/,
  ],
  [{ REELKEEP_HWACCEL: 'cuda' }, /REELKEEP_HWACCEL is not understood: write auto, vaapi, qsv, nvenc or off/],
  [{ REELKEEP_RENDER_DEVICE: 'renderD128,x=1' }, /REELKEEP_RENDER_DEVICE is not understood: write a path such as/],
  [{ REELKEEP_SENDFILE: 'caddy' }, /REELKEEP_SENDFILE is not understood: write nginx, apache or off/],
  [{ REELKEEP_SENDFILE: 'nginx' }, /name its address in REELKEEP_TRUSTED_PROXIES, or remove it/],
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
  [{ DISABLE_CORS: 'perhaps' }, /DISABLE_CORS is not understood: write \* or origins/],
  [{ REELKEEP_PASSWORD_FILE: '/nowhere/password' }, /REELKEEP_PASSWORD_FILE names \/nowhere\/password, which cannot be read/],
])('rejects %o with a message that names the variable', (env, expectedError) => {
  expect(() => readConfig(env as Record<string, string>)).toThrow(expectedError);
  expect(() => readConfig(env as Record<string, string>)).toThrow(ConfigError);
});

test('parses the allowlist of private hosts', () => {
  const allowed = (text: string) => readConfig({ REELKEEP_ALLOW_PRIVATE: text }).allowPrivate;
  expect(allowed('nas.lan, 192.168.1.0/24 fd00::/8 [fd12::1] 10.0.0.7')).toHaveLength(5);
  expect([allowed('on'), allowed('off'), allowed('')]).toEqual([['*'], [], []]);
});

test('parses the origins that may call the API', () => {
  const origins = (text: string) => readConfig({ DISABLE_CORS: text }).corsOrigins;
  expect(['', 'off', 'False'].map(origins)).toEqual([[], [], []]);
  expect(['*', 'on', 'True', '1'].map(origins)).toEqual([['*'], ['*'], ['*'], ['*']]);
  expect(origins('https://pages.example.org, http://nas.lan:8080/')).toEqual([
    'https://pages.example.org',
    'http://nas.lan:8080',
  ]);
  for (const text of ['nas.lan', 'https://a.example/path', 'ftp://a.example', 'https://*.example'])
    expect(() => origins(text), text).toThrow(/DISABLE_CORS is not understood/);
});

test('reads a secret from a file', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'reelkeep-')), 'password');
  writeFileSync(path, 'from a file\n');
  expect(readConfig({ REELKEEP_PASSWORD_FILE: path }).password).toBe('from a file');
});

test('reports misspelled variables with a suggestion', () => {
  const env = { REELKEEP_PROT: '1', REELKEEP_PORT: '1', REELKEEP_PASSWORD_FILE: 'x', REELKEEP_SOMETHING_ELSE: '1', HOME: '/' };
  expect(misspelledVariables(env)).toEqual([
    'Unknown variable REELKEEP_PROT. Did you mean REELKEEP_PORT?',
    'Unknown variable REELKEEP_SOMETHING_ELSE. Check the spelling.',
  ]);
  expect(misspelledVariables({ REELKEEP_DATABASE_URL: 'x', REELKEEP_TRUSTED_PROXYS: 'x' })).toEqual([
    'Unknown variable REELKEEP_DATABASE_URL. Did you mean REELKEEP_DATABASE?',
    'Unknown variable REELKEEP_TRUSTED_PROXYS. Did you mean REELKEEP_TRUSTED_PROXIES?',
  ]);
});

test('explains each TubeArchivist variable', () => {
  const env = {
    TA_PORT: '9000',
    TA_USERNAME: 'a',
    REELKEEP_USERNAME: 'b',
    TA_HOST: 'http://nas',
    ELASTIC_PASSWORD_FILE: '/run/x',
    TZ: 'UTC',
  };
  expect(tubearchivistVariables(env)).toEqual([
    'TA_PORT is used; its name in Reelkeep is REELKEEP_PORT.',
    'TA_USERNAME is ignored because REELKEEP_USERNAME is set.',
    expect.stringMatching(/^TA_HOST has no effect/),
    'ELASTIC_PASSWORD has no effect: Reelkeep does not use this server.',
  ]);
  expect(tubearchivistVariables({ REELKEEP_PORT: '1' })).toEqual([]);
});

test('returns effective values with their origin and without secrets', () => {
  const variables = new Map(
    effectiveConfig({ TA_PORT: '9000', REELKEEP_PROXY: 'http://a:secret@b' }).map((variable) => [variable.name, variable]),
  );
  expect(variables.get('REELKEEP_PORT')).toMatchObject({ text: '9000', under: 'TA_PORT' });
  expect(variables.get('REELKEEP_HOST')).toMatchObject({ text: '0.0.0.0', under: undefined });
  expect(JSON.stringify([...variables.values()])).not.toContain('secret@');
});
