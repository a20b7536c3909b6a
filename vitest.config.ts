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
    // A test that looks at a page by all rules of accessibility takes half a minute on such a machine when it is busy.
    testTimeout: 90_000,
    hookTimeout: 60_000,
  },
});
