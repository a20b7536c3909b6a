import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

// The workflows of the public repository; with actionlint also their syntax, expressions and shell commands.

const root = join(import.meta.dirname, '..');
const workflows = globSync('.github/workflows/*.yml', { cwd: root }).map((path) => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}));

const actionlint = [process.env.REELKEEP_TEST_ACTIONLINT || 'actionlint'].find(
  (path) => spawnSync(path, ['-version']).status === 0,
);
if (!actionlint) process.stdout.write('actionlint is not installed: the syntax of workflows is not tested\n');

interface Workflow {
  permissions: object;
  jobs: Record<
    string,
    { permissions: Record<string, string>; 'timeout-minutes': number; steps: { uses?: string; run?: string }[] }
  >;
}

describe.each(workflows)('$path', ({ path, text }) => {
  const { permissions, jobs } = parse(text) as Workflow;

  test('pins actions to a commit and names its version', () => {
    const uses = [...text.matchAll(/uses: (.+)/g)].map(([, action]) => action);
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter((action) => !/^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(action!))).toEqual([]);
  });

  test('gives each job only its own permissions, and a time limit', () => {
    expect(permissions).toEqual({});
    for (const [name, job] of Object.entries(jobs)) {
      expect(Object.entries(job.permissions).filter(([, access]) => access === 'write').length, name).toBeLessThan(2);
      expect(job['timeout-minutes'], name).toBeGreaterThan(0);
    }
  });

  test.runIf(actionlint)('has no complaints of actionlint', () => {
    const { status, stdout, stderr } = spawnSync(actionlint!, ['-no-color', path], { cwd: root, encoding: 'utf8' });
    expect(stdout + stderr).toBe('');
    expect(status).toBe(0);
  });
});

test('a release runs all tests before it publishes anything', () => {
  const { jobs } = parse(workflows.find(({ path }) => path.endsWith('release.yml'))!.text) as Workflow & {
    jobs: Record<string, { needs?: string | string[] }>;
  };
  const neededBy = (name: string): string[] => [jobs[name]?.needs ?? []].flat().flatMap((one) => [one, ...neededBy(one)]);
  expect(jobs['test']!.steps.map(({ run }) => run)).toContain('.ci/run');
  const publishing = Object.keys(jobs).filter((name) => Object.values(jobs[name]!.permissions).includes('write'));
  expect(publishing.toSorted()).toEqual(['image', 'release']);
  for (const name of publishing) expect(neededBy(name), name).toContain('test');
});
