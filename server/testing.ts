import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { join } from 'node:path';
import pino from 'pino';
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Insertable } from 'kysely';
import type { Archive } from './archive.ts';
import { readConfig } from './config.ts';
import { databaseFile, makeFolders, newRunId } from './data-folder.ts';
import type { Db } from './db/db.ts';
import { openSqlite } from './db/sqlite.ts';
import type { ChannelTable, VideoTable } from './db/tables.ts';
import { enqueue, type NewItem } from './download/store.ts';
import { openGateOf } from './open-archive.ts';
import { openEvents } from './http/events.ts';
import { buildApp, type Around } from './http/app.ts';
import { beginSession } from './http/session.ts';
import { markMediaFolder } from './library/media-marker.ts';
import { openMeter } from './meter.ts';
import { noteEnd } from './notify/outbox.ts';
import { readerFile } from './reader.ts';
import { routes, tasks } from './rooms.ts';
import { openFigures } from './service/figures.ts';
import { makeRunner } from './task/runner.ts';
import type { TaskDefinition } from './task/task.ts';
import { keysOf } from './seal.ts';
import { findTools, noTools } from './tools.ts';
import { noTroubles } from './troubles.ts';
import { hashPassword } from './user/password.ts';
import { misfitOf } from './testing-answers.ts';
import { migrated, sqlite, type TestEngine } from './testing-engines.ts';
import { addAccount, noteLogin } from './user/store.ts';

export { anOwnDatabase, engines, type TestEngine } from './testing-engines.ts';

/** How long tests wait for what comes by itself: long, as slow machines run many programs beside it. */
export const patience = { timeout: 240_000, interval: 50 };

export interface Wish {
  on?: TestEngine;
  /** Instead of the product's own tasks. */
  tasks?: TaskDefinition[];
  /** Environment variables of the configuration. */
  env?: Record<string, string>;
  /** SQLite as a file in the archive's folder, as in the program; else it is in memory. */
  onDisk?: boolean;
  /** Finds the real yt-dlp and ffmpeg. */
  withTools?: boolean;
  /** Of the HTTP side, such as a built web app. */
  around?: Partial<Around>;
  /** Hears what is logged. */
  log?: Archive['log'];
}

/** A whole archive on an empty database, in a folder of its own; nothing listens and no task runs until it is told to. */
export async function testArchive(wish: Wish = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'reelkeep-test-'));
  const paths = { REELKEEP_YTDLP: process.env.REELKEEP_YTDLP, REELKEEP_FFMPEG: process.env.REELKEEP_FFMPEG };
  const config = readConfig({ ...paths, ...wish.env, REELKEEP_DATA: folder });
  await makeFolders(config);
  const engine = wish.on ?? sqlite;
  const isOnDisk = wish.onDisk && engine === sqlite;
  const {
    db,
    url,
    close: closeDb,
  } = isOnDisk ? await migrated(await openSqlite(databaseFile(config), { readerFile })) : await engine.openWithTables();
  config.databaseUrl = url;
  const gate = await openGateOf(config);
  const events = openEvents();
  const runner = makeRunner(wish.tasks ?? tasks, () => archive, { onEnd: noteEnd });
  const tools = noTools(gate);
  tools.ytdlpSought.resolve(); // nothing is fetched
  const archive: Archive = {
    config,
    db,
    tasks: runner,
    tools,
    announce: (...rooms) => events.announce(...rooms),
    now: () => Math.floor(Date.now() / 1000),
    events,
    log: wish.log ?? pino({ level: process.env.REELKEEP_TEST_LOG ?? 'silent' }),
    meter: openMeter(),
    runId: newRunId(),
    keys: keysOf(Buffer.alloc(32, 7)),
    recovered: Promise.resolve(),
    maintenance: { why: null },
    troubles: { ...noTroubles(), work: 'begun' },
  };
  archive.meter.look = openFigures(archive);
  await markMediaFolder(archive);
  if (wish.withTools) await findTools(archive);
  const app = await buildApp(archive, routes, { startedAt: 1_790_000_000, checkReplies: true, ...wish.around });
  const misfits = holdAgainstDescription(app);

  return {
    archive,
    runner,
    app,
    folder,
    async close() {
      await runner.end();
      await app.close();
      events.close();
      await gate.close();
      await closeDb();
      await rm(folder, { recursive: true, force: true });
      if (misfits.length > 0) throw new Error(misfits.join('\n'));
    },
  };
}

/** From now on every answer is held against the API's description: what does not fit fails the call, or else the end of the test. */
function holdAgainstDescription(app: FastifyInstance): string[] {
  const misfits: string[] = [];
  app.addHook('onSend', async (request, reply, payload) => {
    const isJson = String(reply.getHeader('content-type')).includes('json');
    const sent = isJson && payload instanceof Readable ? Buffer.concat(await payload.toArray()) : payload;
    const misfit = misfitOf({
      method: request.method,
      path: request.url.split('?')[0] ?? '',
      status: reply.statusCode,
      body: isJson && (typeof sent === 'string' || Buffer.isBuffer(sent)) ? (JSON.parse(String(sent)) as unknown) : undefined,
    });
    if (misfit) misfits.push(misfit);
    return sent;
  });
  const inject = app.inject.bind(app) as (request: InjectOptions | string) => Promise<LightMyRequestResponse>;
  app.inject = (async (request: InjectOptions | string) => {
    const answer = await inject(request);
    const misfit = misfits.shift();
    if (misfit) throw new Error(misfit);
    return answer;
  }) as typeof app.inject;
  return misfits;
}
export type TestArchive = Awaited<ReturnType<typeof testArchive>>;

// A password is hashed slowly on purpose, and tests make thousands of people.
const hashes = new Map<string, Promise<string>>();
const hashOnce = (password: string) => hashes.getOrInsertComputed(password, hashPassword);

/** A session as logging in begins it; answers its cookies. */
async function aSession(archive: Archive, accountId: number): Promise<Record<string, string>> {
  const cookies: Record<string, string> = {};
  const request = { cookies: {}, headers: { 'user-agent': 'lightMyRequest' }, ip: '127.0.0.1', protocol: 'http', basePath: '' };
  const reply = {
    setCookie: (name: string, value: string) => void (cookies[name] = value),
    clearCookie: () => reply,
  };
  await beginSession(archive, request as unknown as FastifyRequest, reply as unknown as FastifyReply, accountId, {
    remember: false,
    provedAt: archive.now(),
  });
  await noteLogin(archive.db, accountId, archive.now());
  return cookies;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A browser with the cookies of a login: `call` speaks as its pages do. */
export function aBrowser(app: TestArchive['app'], cookies: Record<string, string>) {
  const headers = {
    cookie: Object.entries(cookies)
      .map(([key, value]) => `${key}=${value}`)
      .join('; '),
    'x-csrftoken': cookies.csrftoken ?? '',
  };
  return {
    headers,
    /** `confirm`: what is sent along where very much is deleted. */
    call: (method: Method, url: string, payload?: object | string, confirm?: string) =>
      app.inject({
        method,
        url,
        headers: {
          ...headers,
          ...(typeof payload === 'string' && { 'content-type': 'application/json' }),
          ...(confirm !== undefined && { 'x-reelkeep-confirm': encodeURIComponent(confirm) }),
        },
        ...(payload !== undefined && { payload }),
      }),
  };
}

/** A person with an account and a session: `call` speaks as their browser does. */
export async function aUser(
  { archive, app }: Pick<TestArchive, 'archive' | 'app'>,
  { name = `user-${randomUUID().slice(0, 8)}`, password = 'correct horse', isStaff = false } = {},
) {
  const account = await addAccount(archive.db, { name, passwordHash: await hashOnce(password), isStaff }, archive.now());
  return { id: account!.id, name, password, ...aBrowser(app, await aSession(archive, account!.id)) };
}

let counter = 0;

/** A channel in the archive; answers its id. */
export async function aChannel(db: Db, said: Partial<Insertable<ChannelTable>> = {}): Promise<string> {
  const id = said.id ?? `UCchannel${String(++counter).padStart(15, '0')}`;
  const name = said.name ?? `Channel ${counter}`;
  await db
    .insertInto('channel')
    .values({ id, site: 'youtube', siteId: id, name, sortName: name.toLowerCase(), addedAt: 0, refreshedAt: 0, ...said })
    .execute();
  return id;
}

/** A video in the archive, of a channel of its own unless one is named; answers its id. It has no file. */
export async function aVideo(db: Db, said: Partial<Insertable<VideoTable>> = {}): Promise<string> {
  const channelId = said.channelId ?? (await aChannel(db));
  const id = said.id ?? `vid${String(++counter).padStart(8, '0')}`;
  const title = said.title ?? `Video ${counter}`;
  await db
    .insertInto('video')
    .values({
      id,
      site: 'youtube',
      siteId: id,
      channelId,
      title,
      sortTitle: title.toLowerCase(),
      kind: 'videos',
      publishedAt: 1_700_000_000 + counter,
      downloadedAt: 1_750_000_000 + counter,
      refreshedAt: 1_750_000_000 + counter,
      durationSeconds: 600,
      sizeBytes: 1_000_000,
      sha256: '0'.repeat(64),
      mediaPath: `${channelId}/${id}.mp4`,
      ...said,
    })
    .execute();
  return id;
}

/** An item of the queue; answers its id. */
export async function aQueueItem(db: Db, said: Partial<NewItem> = {}): Promise<string> {
  const id = said.id ?? `que${String(++counter).padStart(8, '0')}`;
  await enqueue(db, {
    id,
    site: 'youtube',
    siteId: id,
    url: `https://www.youtube.com/watch?v=${id}`,
    title: `Wanted ${counter}`,
    channelId: 'UCnobody',
    channelName: 'Nobody',
    kind: 'videos',
    status: 'pending',
    autoStart: 0,
    queuedAt: counter,
    ...said,
  });
  return id;
}
