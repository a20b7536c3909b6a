import { createReadStream, createWriteStream, globSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Writes a compressed copy beside each text file, so that the server never compresses them while somebody waits. */
const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  async closeBundle() {
    for (const path of globSync('dist/**/*.{js,css,svg,html,webmanifest}'))
      await pipeline(createReadStream(path), createGzip({ level: 9 }), createWriteStream(`${path}.gz`));
  },
});

const server = process.env['REELKEEP_DEV_SERVER'] ?? 'http://127.0.0.1:8001';

export default defineConfig({
  root: 'web',
  base: './',
  plugins: [
    react(),
    // The English of a text stays in the code of its page, so English needs no catalogue.
    babel({ presets: [linguiTransformerBabelPreset({ descriptorFields: 'message' })] }),
    lingui({ failOnCompileError: true }),
    compressed(),
  ],
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    sourcemap: false,
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // What most pages share travels together: small files of their own cost what compression cannot take back.
        codeSplitting: {
          groups: [{ name: 'shared', test: /(@tabler|web.(ui|format|api|user|video|shell|theme).)/, minShareCount: 6 }],
        },
      },
    },
  },
  server: {
    port: 8000,
    proxy: Object.fromEntries(
      ['/api', '/youtube', '/media', '/cache'].map((path) => [path, { target: server, changeOrigin: false }]),
    ),
  },
});
