import { linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Whole programs before parts of them: what takes a minute must not be what everybody waits for at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isWhole = ({ moduleId }: TestSpecification) => Number(/\/e2e\//.test(moduleId));
    return (await super.sort(files)).toSorted((a, b) => isWhole(b) - isWhole(a));
  }
}

/** `isolate: false`: the files of a worker share modules, which takes seconds a file to load and compile. */
const project = (name: string, include: string[], isolate: boolean, setupFiles: string[] = []) => ({
  extends: true as const,
  test: { name, include, isolate, setupFiles },
});

export default defineConfig({
  // Texts of the web app, as its build reads them.
  plugins: [babel({ presets: [linguiTransformerBabelPreset({ descriptorFields: 'message' })] })],
  test: {
    exclude: ['node_modules/**', 'dist/**', '.tools/**', '.node/**'],
    globalSetup: 'e2e/support/global-setup.ts',
    projects: [
      project(
        'unit',
        ['*.test.ts', 'contract/**/*.test.ts', 'web/**/*.test.{ts,tsx}', 'deploy/{asvs,cluster,helm,names,workflows}.test.ts'],
        false,
      ),
      project('server', ['server/**/*.test.ts', 'test-site/**/*.test.ts'], false),
      project(
        'e2e',
        [
          'deploy/{audit,image}.test.ts',
          'e2e/*.test.ts',
          'e2e/{acquisition,backup,cli,crash,import,nodes}/**/*.test.ts',
          'scripts/*.test.mjs',
        ],
        true,
      ),
      project('browser', ['e2e/browser/**/*.test.ts'], true, ['e2e/support/show-failed-pages.ts']),
    ],
    sequence: { sequencer: LongestFirst },
    // Real programs run in many of them, and wait for each other: with one more than processors these are never idle.
    maxWorkers: 3,
    // Only what hangs for good is ended: a busy machine may be ten times slower than the one a test was written on.
    testTimeout: 400_000,
    hookTimeout: 400_000,
    expect: { poll: { timeout: 120_000 } },
    // A failed file is run again alone by scripts/run-tests.mjs.
    retry: 0,
  },
});
