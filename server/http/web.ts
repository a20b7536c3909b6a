import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Archive } from '../archive.ts';
import { policyWithSender } from './headers.ts';
import { notFound, Problem } from './problem.ts';

const year = 31_536_000;

// What a browser asks for beside the page itself: its sign, what it needs to be installed, and what it shows offline.
const inRoot = ['favicon.svg', 'icon-192.png', 'icon-512.png', 'icon-maskable-512.png', 'sw.js', 'offline.html', 'offline.css'];

/** Which of the languages that the app has somebody would rather read; English when neither. */
export function languageOf(accepted = ''): 'en' | 'de' {
  const wishes = accepted.split(',').map((wish, place) => {
    const [code = '', q] = wish.trim().split(/;\s*q=/);
    return { code: code.slice(0, 2).toLowerCase(), weight: (q === undefined ? 1 : Number(q) || 0) - place / 1000 };
  });
  const weightOf = (code: string) => Math.max(0, ...wishes.filter((wish) => wish.code === code).map(({ weight }) => weight));
  return weightOf('de') > weightOf('en') ? 'de' : 'en';
}

/** Serves the built web app: hashed files for ever, its page for every other path. Without a build only the API answers. */
export async function serveWeb(app: FastifyInstance, archive: Archive, folder: string | undefined) {
  const page = folder && (await readPage(folder));
  if (folder && page) {
    await app.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      preCompressed: true,
      maxAge: year * 1000,
      immutable: true,
      index: false,
    });
    app.get('/manifest.webmanifest', (request, reply) => {
      const isGerman = languageOf(request.headers['accept-language']) === 'de';
      reply.header('Vary', 'Accept-Language').type('application/manifest+json; charset=utf-8');
      return reply.sendFile(isGerman ? 'manifest.de.webmanifest' : 'manifest.webmanifest', folder, { maxAge: 86_400_000 });
    });
    for (const name of inRoot) app.get(`/${name}`, (_request, reply) => reply.sendFile(name, folder, { maxAge: 86_400_000 }));
  }

  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const isPage = /^(GET|HEAD)$/.test(request.method) && !/^\/(api|youtube|media|cache|assets)(\/|$)/.test(path);
    if (isPage && page) {
      const policy = String(reply.getHeader('content-security-policy'));
      if (await isCasting(archive)) reply.header('content-security-policy', policyWithSender(policy));
      return reply.type('text/html; charset=utf-8').header('Cache-Control', 'no-cache').send(page(request.basePath));
    }
    if (isPage) throw new Problem(404, 'The web app has not been built; npm start builds it.');
    throw notFound('path');
  });
}

/** Whether the settings let pages load Google's sender; not, while the database cannot say so: the page tells what is wrong with it. */
async function isCasting({ db }: Archive): Promise<boolean> {
  const setting = db.selectFrom('setting').select('value').where('name', '=', 'application.enable_cast');
  const row = await setting.executeTakeFirst().catch(() => undefined);
  return row?.value === 'true';
}

/** The page is the same for everybody; only where the app lives is written into it. */
async function readPage(folder: string): Promise<((basePath: string) => string) | undefined> {
  try {
    const page = await readFile(join(folder, 'index.html'), 'utf8');
    return (basePath) => page.replace('<base href="/"', `<base href="${basePath}/"`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
