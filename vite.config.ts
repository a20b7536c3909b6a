import { createReadStream, createWriteStream, globSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { compileMessage } from '@lingui/message-utils/compileMessage';
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

/** Has browsers fetch the letters of every page at once, and not only when the styles name them: words keep their places. */
const lettersFirst = (): Plugin => ({
  name: 'letters-first',
  transformIndexHtml: {
    order: 'post',
    handler(_page, { bundle = {} }) {
      const letters = Object.keys(bundle).filter((path) => /inter-latin-wght-[^/]*\.woff2$/.test(path));
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '' };
      return letters.map((path) => ({ tag: 'link', attrs: { ...attrs, href: `./${path}` }, injectTo: 'head' }));
    },
  },
});

interface Property {
  node: { key: { name?: string }; value: { type: string; value?: string } };
  parent: { properties?: { key?: { name?: string } }[] };
}

/** Makes the English texts ready while building, so that no browser has to read their language of plurals. */
const madeReady = ({ types }: { types: { valueToNode(value: unknown): never } }) => ({
  visitor: {
    ObjectProperty({ node, parent }: Property) {
      if (node.key.name !== 'message' || node.value.type !== 'StringLiteral') return;
      if (parent.properties?.some(({ key }) => key?.name === 'id'))
        node.value = types.valueToNode(compileMessage(node.value.value!));
    },
  },
});

const macros = linguiTransformerBabelPreset({ descriptorFields: 'message' });

const server = process.env['REELKEEP_DEV_SERVER'] ?? 'http://127.0.0.1:8001';

export default defineConfig({
  root: 'web',
  base: './',
  plugins: [
    react(),
    // The English of a text stays in the code of its page, so English needs no catalogue.
    babel({ presets: [macros, { ...macros, preset: { plugins: [madeReady] } }] }),
    lingui({ failOnCompileError: true }),
    lettersFirst(),
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
        // What every visit begins with travels together, libraries apart since they seldom change, and so does what most pages
        // share: small files of their own cost what compression cannot take back. Menus and popovers bring a library along, and
        // are fetched when somebody opens one.
        codeSplitting: {
          groups: [
            { name: 'libraries', tags: ['$initial'], test: /node_modules.(?!@tabler)/ },
            { name: 'begin', tags: ['$initial'] },
            {
              name: 'shared',
              test: /(@tabler|web.(ui.(?!Menu|Popover|Dialog)|format|api|user.(?!confirmation)|video|shell|theme).)/,
              minShareCount: 6,
            },
          ],
        },
      },
    },
  },
  server: {
    port: 8000,
    // Sources of ours lie in a folder `api` too; what is asked of the server ends in a slash.
    proxy: Object.fromEntries(
      ['^/api/([^?]*/)?(\\?|$)', '/youtube/', '/media/', '/cache/'].map((path) => [
        path,
        { target: server, changeOrigin: false },
      ]),
    ),
  },
});
