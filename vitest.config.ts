import { linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Whole programs before parts of them: what takes a minute must not be what everybody waits for at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isWhole = ({ moduleId }: TestSpecification) => Number(/\/e2e\/[^/]+$/.test(moduleId));
    return (await super.sort(files)).toSorted((a, b) => isWhole(b) - isWhole(a));
  }
}

export default defineConfig({
  // Texts of the web app, as its build reads them.
  plugins: [babel({ presets: [linguiTransformerBabelPreset({ descriptorFields: 'message' })] })],
  test: {
    include: ['**/*.test.ts', '**/*.test.tsx'],
    exclude: ['node_modules/**', 'dist/**', '.tools/**', '.node/**'],
    globalSetup: 'e2e/shared.ts',
    sequence: { sequencer: LongestFirst },
    // Real programs run in many of them, and wait for each other: with one more than processors these are never idle.
    maxWorkers: 3,
    // Only what hangs for good is ended: a busy machine may be ten times slower than the one a test was written on.
    testTimeout: 400_000,
    hookTimeout: 400_000,
    expect: { poll: { timeout: 120_000 } },
    // Of two thousand tests with real browsers, clocks and disks one may fail on a busy machine; `npm test` names it at the end.
    retry: 1,
  },
});
