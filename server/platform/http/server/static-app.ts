import { message } from '#contract/messages.ts';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../../context/app-context.ts';
import { policyWithScripts, policyWithSender } from './security-headers.ts';
import { notFound, HttpError } from '../http-error.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Sends the page of share links, which is smaller than the app, with this HTML in its head. @throws 404 without a build */
    sendSharedPage(request: FastifyRequest, reply: FastifyReply, head: string): FastifyReply;
  }
}

const year = 31_536_000;

// Files requested outside /assets/: icons, the manifest and the offline page.
const rootFiles = [
  'favicon.svg',
  'icon-192.png',
  'icon-512.png',
  'icon-maskable-512.png',
  'sw.js',
  'offline.html',
  'offline.css',
  'offline.js',
];

/** Returns the preferred language of `Accept-Language` that the app has, else English. */
export function languageOf(accepted = ''): 'en' | 'de' {
  const preferences = accepted.split(',').map((preference, place) => {
    const [code = '', q] = preference.trim().split(/;\s*q=/);
    return { code: code.slice(0, 2).toLowerCase(), weight: (q === undefined ? 1 : Number(q) || 0) - place / 1000 };
  });
  const weightOf = (code: string) =>
    Math.max(0, ...preferences.filter((preference) => preference.code === code).map(({ weight }) => weight));
  return weightOf('de') > weightOf('en') ? 'de' : 'en';
}

/**
 * Serves the built web app: hashed files with unlimited caching, and index.html for all other paths. Without a build only the API
 * is served.
 */
export async function registerWebApp(server: FastifyInstance, app: AppContext, folder: string | undefined) {
  const page = folder && (await readPage(folder));
  if (folder && page) {
    await server.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      preCompressed: true,
      maxAge: year * 1000,
      immutable: true,
      index: false,
    });
    server.get('/manifest.webmanifest', (request, reply) => {
      const isGerman = languageOf(request.headers['accept-language']) === 'de';
      reply.header('Vary', 'Accept-Language').type('application/manifest+json; charset=utf-8');
      return reply.sendFile(isGerman ? 'manifest.de.webmanifest' : 'manifest.webmanifest', folder, { maxAge: 86_400_000 });
    });
    for (const name of rootFiles)
      server.get(`/${name}`, (_request, reply) => reply.sendFile(name, folder, { maxAge: 86_400_000 }));
  }

  const sharedPage = folder && (await readPage(folder, 'shared.html'));
  server.decorate('sendSharedPage', (request: FastifyRequest, reply: FastifyReply, head: string) => {
    if (!sharedPage) throw new HttpError(404, message('error.app'));
    return sharedPage.send(request, reply, head);
  });
  server.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const isPage = /^(GET|HEAD)$/.test(request.method) && !/^\/(api|youtube|media|cache|assets)(\/|$)/.test(path);
    if (isPage && page) {
      const policy = String(reply.getHeader('content-security-policy'));
      if (await isCasting(app)) reply.header('content-security-policy', policyWithSender(policy));
      return page.send(request, reply);
    }
    if (isPage) throw new HttpError(404, message('error.app'));
    throw notFound('error.path');
  });
}

/** Returns whether the settings allow Google's Cast sender; false on a database error, which the page reports. */
async function isCasting({ db }: AppContext): Promise<boolean> {
  const setting = db.selectFrom('setting').select('value').where('name', '=', 'application.enable_cast');
  const row = await setting.executeTakeFirst().catch(() => undefined);
  return row?.value === 'true';
}

interface Page {
  send(request: FastifyRequest, reply: FastifyReply, head?: string): FastifyReply;
}

/**
 * Reads an HTML file. Only the base path and the metadata of a share link are inserted; everything else is the same for all users.
 * Its inline scripts, which set the theme before the first paint, are allowed by their hashes.
 */
async function readPage(folder: string, name = 'index.html'): Promise<Page | undefined> {
  let page: string;
  try {
    page = await readFile(join(folder, name), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const hashes = [...page.matchAll(/<script>([^]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return {
    send(request, reply, head = '') {
      const policy = String(reply.getHeader('content-security-policy'));
      return reply
        .type('text/html; charset=utf-8')
        .header('Cache-Control', 'no-cache')
        .header('content-security-policy', policyWithScripts(policy, hashes))
        .send(page.replace('<base href="/"', `<base href="${request.basePath}/"`).replace('</head>', () => `${head}</head>`));
    },
  };
}
