import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ConfigError, TemporaryConfigError } from '#server/platform/config/config-error.ts';
import { variables } from '#server/platform/config/env-variables.ts';

// Documentation and deployment files name only existing scripts, variables and files.

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const documented = Object.entries<{ initial?: string; does: string; also?: readonly string[] }>(variables);
const variableNames = documented.flatMap(([name, { also = [] }]) => [name, ...also]);

/** Returns the scripts, variables, relative links and paths from the top folder in a text that do not exist. */
function missingIn(text: string, folder = '.'): string[] {
  const scriptNames = [...text.matchAll(/npm (?:run )?(start|test|(?<=run )[\w:-]+)/g)].map(([, name]) => name!);
  const settings = [...text.matchAll(/\bREELKEEP_[A-Z_]+\b/g)].map(([name]) => name.replace(/_FILE$/, ''));
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path]) => path!);
  const paths = [...text.matchAll(/`((?:bench|clients|contract|deploy|docs|e2e|scripts|server|test-site|web)\/[\w./-]+)`/g)].map(
    ([, path]) => path!,
  );
  return [
    ...scriptNames.filter((name) => !(name in scripts)).map((name) => `npm run ${name}`),
    ...settings.filter((name) => !variableNames.includes(name) && !/^REELKEEP_(TEST|BENCH)_/.test(name)),
    ...links.filter((path) => !existsSync(join(root, folder, path))),
    ...paths.filter((path) => !existsSync(join(root, path))),
  ];
}

const pages = globSync(['*.md', 'docs/**/*.md', 'bench/*.md'], { cwd: root });

describe('the documentation', () => {
  test('names scripts, variables and files that exist', () => {
    expect(pages.length).toBeGreaterThan(8);
    expect(pages.flatMap((path) => missingIn(read(path), dirname(path)).map((name) => `${path}: ${name}`))).toEqual([]);
  });

  test('the check detects missing names', () => {
    expect(missingIn('`npm run nothing`, REELKEEP_NOTHING, [x](docs/nothing.md), `web/nothing.ts`, npm start')).toEqual([
      'npm run nothing',
      'REELKEEP_NOTHING',
      'docs/nothing.md',
      'web/nothing.ts',
    ]);
  });

  test('docs/configuration.md lists each variable with its default and description', () => {
    const rows = new Map(
      [...read('docs/configuration.md').matchAll(/^\| `([A-Z\d_]+)` +\| (.+?) +\| (.+?) +\|$/gm)].map(
        ([, name, initial, does]) => [name, { initial: initial === '–' ? '' : initial!.replaceAll('`', ''), does: does! }],
      ),
    );
    rows.delete('TZ');
    expect([...rows.keys()]).toEqual(Object.keys(variables));
    for (const [name, { does, initial = '' }] of documented) {
      expect(rows.get(name)?.initial, name).toBe(initial);
      expect(rows.get(name)?.does, name).toContain(does);
    }
  });
});

test('bench/README.md lists all benchmarks, and an unknown one lists them', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/start.mjs', '--bench', 'nothing'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([1, expect.stringContaining('no benchmark “nothing”')]);
  const names = /one of: (.+)\./.exec(stderr)![1]!.split(', ');
  const listed = [...read('bench/README.md').matchAll(/^\| `npm run bench -- ([\w-]+)/gm)].map(([, name]) => name!);
  expect(listed.toSorted()).toEqual(names.toSorted());
});

/** Files that the first stage of the image copies. */
const copiedFiles = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) => names!.split(' '));
const commands = [...read('Dockerfile').matchAll(/CMD (\[.+\])$/gm)].map(([, json]) => JSON.parse(json!) as string[]);

describe('the image', () => {
  test('copies only existing files that .dockerignore allows', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    expect(copiedFiles).toContain('server');
    expect(copiedFiles.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(copiedFiles.toSorted()).toEqual(allowed.toSorted());
    expect(missingIn(read('Dockerfile'))).toEqual([]);
  });

  test('runs in the compose file as one hardened service with one volume', () => {
    const { services, volumes } = parse(read('compose.yaml')) as {
      services: Record<string, Record<string, unknown> & { volumes: string[]; ports: string[]; healthcheck: { test: string[] } }>;
      volumes: object;
    };
    const [service, ...others] = Object.values(services);
    expect(others).toEqual([]);
    expect(service).toMatchObject({
      build: '.',
      init: true,
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      tmpfs: [expect.stringMatching(/^\/tmp/)],
    });
    const folder = /REELKEEP_DATA=(\S+)/.exec(read('Dockerfile'))?.[1];
    expect(service!.volumes).toEqual(Object.keys(volumes).map((name) => `${name}:${folder}`));
    expect(service!.ports).toEqual([`8000:${/REELKEEP_PORT=(\d+)/.exec(read('Dockerfile'))?.[1]}`]);
    expect(service!.healthcheck.test.slice(1)).toEqual(commands[0]);
  });
});

test('the systemd unit starts an existing script, and may write to its data folder', () => {
  const unit = read('deploy/reelkeep.service');
  expect(missingIn(unit)).toEqual([]);
  const script = /^ExecStart=\/usr\/bin\/env node (\S+)$/m.exec(unit)?.[1];
  expect(existsSync(join(root, script!))).toBe(true);
  const state = /^StateDirectory=(\S+)$/m.exec(unit)?.[1];
  expect(unit).toContain(`REELKEEP_DATA=/var/lib/${state}`);
  expect(unit).toMatch(/^ProtectSystem=strict$/m);
  const noRestartCode = Number(/^RestartPreventExitStatus=(\d+)$/m.exec(unit)?.[1]);
  expect(new ConfigError('').exitCode).toBe(noRestartCode);
  // Temporary errors are retried without a limit.
  expect(new TemporaryConfigError('').exitCode).not.toBe(noRestartCode);
  expect(unit).toMatch(/^StartLimitIntervalSec=0$/m);
});
