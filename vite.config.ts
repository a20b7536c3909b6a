import { createReadStream, createWriteStream, globSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createBrotliCompress, createGzip } from 'node:zlib';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { splitCatalogue } from './scripts/split-catalogue.ts';

/** Writes compressed copies next to each text file, so that the server never compresses files during a request. */
const compressFiles = (): Plugin => ({
  name: 'compress-files',
  apply: 'build',
  async closeBundle() {
    for (const path of globSync('dist/**/*.{js,css,svg,html,webmanifest}')) {
      await pipeline(createReadStream(path), createGzip({ level: 9 }), createWriteStream(`${path}.gz`));
      await pipeline(createReadStream(path), createBrotliCompress(), createWriteStream(`${path}.br`));
    }
  },
});

/** Preloads the font of every page before the styles request it, so that text does not shift. */
const preloadFonts = (): Plugin => ({
  name: 'preload-fonts',
  transformIndexHtml: {
    order: 'post',
    handler(_page, { bundle = {} }) {
      const fonts = Object.keys(bundle).filter((path) => /inter-latin-wght-[^/]*\.woff2$/.test(path));
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '' };
      return fonts.map((path) => ({ tag: 'link', attrs: { ...attrs, href: `./${path}` }, injectTo: 'head' }));
    },
  },
});

/** Serves the page of share links at their addresses in development. */
const serveSharedPage = (): Plugin => ({
  name: 'shared-page',
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      if (/^\/shared\/[^/?]+\/?$/.test(request.url ?? '')) request.url = '/shared.html';
      next();
    });
  },
});

interface Property {
  node: { key: { name?: string }; value: { type: string; value?: string } };
  parent: { properties?: { key?: { name?: string } }[] };
}

/** Compiles the English messages at build time, so that browsers need no parser for plural rules. */
const precompileMessages = ({ types }: { types: { valueToNode(value: unknown): never } }) => ({
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
    // English messages are embedded in the code of their pages, so English needs no catalogue.
    babel({ presets: [macros, { ...macros, preset: { plugins: [precompileMessages] } }] }),
    splitCatalogue(),
    preloadFonts(),
    compressFiles(),
    serveSharedPage(),
  ],
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    // What each page loads before its first paint (budgets.test.ts).
    manifest: true,
    sourcemap: false,
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['web/index.html', 'web/shared.html'],
      output: {
        // The app has a list of all files. With the usual hashes of eight characters it would be larger.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        entryFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        // The initial code is one chunk. Libraries are separate because they change seldom. Code that most pages share is one
        // chunk too, because many small files compress worse. Menus and popovers need another library and load on demand.
        codeSplitting: {
          groups: [
            // What the page of share links (web/shared) has in common with the app, so that it does not load the app.
            {
              name: 'basis',
              tags: ['$initial'],
              test: /node_modules.(react|react-dom|scheduler|@lingui)[\\/]|vite.preload-helper|web.(theme|i18n|format|api.call|ui.(Button|Field|Logo|use-local-storage))/,
            },
            // What it has in common with other pages of the app. Without this, `begin` would take it, and the page would start the app.
            { name: 'guest', test: /web.(ui.(RichText|rich-text|copy-text)|video.page.Chapters)/ },
            { name: 'libraries', tags: ['$initial'], test: /node_modules.(?!@tabler)/ },
            { name: 'begin', tags: ['$initial'], test: /^(?!.*web.shared.)/ },
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
    // Requests to the API end with a slash, unlike source files in the `api` folder of the web app.
    proxy: Object.fromEntries(
      ['^/api/([^?]*/)?(\\?|$)', '/youtube/', '/media/', '/cache/', '/m3u/', '/podcast/', '^/shared/[^/?]+/.+'].map((path) => [
        path,
        { target: server, changeOrigin: false },
      ]),
    ),
  },
});
