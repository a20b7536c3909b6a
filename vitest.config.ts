import { linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Texts of the web app, as its build reads them.
  plugins: [babel({ presets: [linguiTransformerBabelPreset({ descriptorFields: 'message' })] })],
  test: {
    include: ['**/*.test.ts', '**/*.test.tsx'],
    exclude: ['node_modules/**', 'dist/**', '.tools/**', '.node/**'],
    // Real programs run in many of them: two at a time is what a small machine bears.
    maxWorkers: 2,
    // Only what hangs for good is ended: a busy machine may be ten times slower than the one a test was written on.
    testTimeout: 400_000,
    hookTimeout: 400_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
