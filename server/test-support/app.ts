import { openBucket } from '../archive/storage/bucket.ts';
import { openFileStore } from '../app/open-file-store.ts';
import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { join } from 'node:path';
import pino from 'pino';
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Insertable } from 'kysely';
import type { AppContext } from '../platform/context/app-context.ts';
import { readConfig } from '../platform/config/config.ts';
import { databaseFile, makeFolders, newRunId } from '../platform/config/data-folder.ts';
import type { Db } from '../platform/db/db.ts';
import { openSqlite } from '../platform/db/sqlite/sqlite.ts';
import type { ChannelTable, VideoTable } from '../platform/db/schema/tables.ts';
import { enqueue, type NewItem } from '../archive/queue/claims.ts';
import { createState } from '../app/create-state.ts';
import { openForwardProxyFor } from '../app/create-app.ts';
import { createBroadcaster } from '../platform/http/live-updates/broadcaster.ts';
import { createServer, type ServerOptions } from '../platform/http/server/create-server.ts';
import { createSession } from '../platform/http/auth/session.ts';
import { markMediaFolder } from '../archive/storage/mount-check.ts';
import { createMetrics } from '../platform/observability/metrics.ts';
import { queueTaskNotification } from '../features/notify/outbox.ts';
import { queryWorkerFile } from '../app/query-worker.ts';
import { plainRoutes, routes, tasks } from '../app/registry.ts';
import { createMetricsCollector } from '../features/system/metrics-collector.ts';
import { createTaskRunner } from '../platform/tasks/runner.ts';
import type { TaskDefinition } from '../platform/context/task.ts';
import { keysOf } from '../platform/security/encryption.ts';
import { closeSiteLookups } from '../features/resolve/site-lookups.ts';
import { closePoTokens } from '../archive/sites/po-tokens.ts';
import { findTools } from '../archive/binaries/binaries.ts';
import { singleNode } from '../platform/context/nodes.ts';
import { noTools, toolsFolderOf, type Tools } from '../platform/context/tools.ts';
import { wrapFfmpeg } from '../platform/media/ffmpeg.ts';
import { preparePathFolder } from '../platform/ytdlp/path-folder.ts';
import { healthyState } from '../platform/context/health-state.ts';
import { hashPassword, setHashCost } from '../features/user/login/password.ts';
import { openapiMismatch } from './assert-openapi.ts';
import { sqlite, sqliteTemplate, type TestEngine } from './databases.ts';
import { addAccount, recordLogin } from '../features/user/account/store.ts';

export { createDatabase, engines, type TestEngine } from './databases.ts';

/** Timeout of waiting for background work: long, because slow machines run many programs at once. */
export const testTimeouts = { timeout: 240_000, interval: 50 };

export interface TestOptions {
  on?: TestEngine;
  /** Replaces the tasks of the product. */
  tasks?: TaskDefinition[];
  /** Interval at which the task runner renews leases. Default: that of the product. */
  heartbeatMs?: number;
  /** Environment variables of the configuration. */
  env?: Record<string, string>;
  /** Stores SQLite in a file in the data folder, like the product. Default: in memory. */
  onDisk?: boolean;
  /** Finds the real yt-dlp and ffmpeg. */
  withTools?: boolean;
  /** Options of the HTTP server, such as a built web app. */
  serverOptions?: Partial<ServerOptions>;
  /** Logger; silent by default. */
  log?: AppContext['log'];
}

/** A database file with all tables and no rows. */
async function openSqliteFile(path: string) {
  await copyFile(await sqliteTemplate(), path);
  const db = await openSqlite(path, { workerFile: queryWorkerFile });
  return { db, url: undefined, close: () => db.destroy() };
}

let installedTools: Pick<Tools, 'ytdlp' | 'ffmpeg'> | undefined;

/** Finds yt-dlp and ffmpeg. Those of the run are started only for the first test of a worker, which takes 0.4 s. */
async function findToolsOnce(app: AppContext) {
  const { config, tools } = app;
  const isOfRun = config.ytdlpPath === process.env.REELKEEP_YTDLP && config.ffmpegPath === process.env.REELKEEP_FFMPEG;
  if (!isOfRun || !installedTools?.ffmpeg) {
    await findTools(app);
    if (isOfRun) installedTools = { ytdlp: tools.ytdlp, ffmpeg: tools.ffmpeg };
    return;
  }
  const folder = await preparePathFolder(toolsFolderOf(app));
  Object.assign(tools, installedTools, { ffmpegFolder: await wrapFfmpeg(installedTools.ffmpeg, folder) });
}

/** Creates an app context and server on an empty database in a temporary folder, without listening or running tasks. */
export async function testApp(options: TestOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'reelkeep-test-'));
  const paths = { REELKEEP_YTDLP: process.env.REELKEEP_YTDLP, REELKEEP_FFMPEG: process.env.REELKEEP_FFMPEG };
  const config = readConfig({ ...paths, ...options.env, REELKEEP_DATA: folder });
  await makeFolders(config);
  const engine = options.on ?? sqlite;
  const isOnDisk = options.onDisk && engine === sqlite;
  const { db, url, close: closeDb } = isOnDisk ? await openSqliteFile(databaseFile(config)) : await engine.openWithTables();
  config.databaseUrl = url;
  const files = await openFileStore(config);
  const forwardProxy = await openForwardProxyFor(config);
  const events = createBroadcaster();
  const runner = createTaskRunner(options.tasks ?? tasks, () => app, {
    onEnd: queueTaskNotification,
    ...(options.heartbeatMs && { heartbeatMs: options.heartbeatMs }),
  });
  const tools = noTools(forwardProxy);
  tools.searched.resolve();
  tools.ytdlpSought.resolve(); // prevents downloading it
  tools.ffmpegSought.resolve();
  const app: AppContext = {
    config,
    db,
    files,
    tasks: runner,
    tools,
    announce: (...topics) => events.announce(...topics),
    now: () => Math.floor(Date.now() / 1000),
    events,
    log: options.log ?? pino({ level: process.env.REELKEEP_TEST_LOG ?? 'silent' }),
    metrics: createMetrics(),
    runId: newRunId(),
    nodes: singleNode,
    keys: keysOf(Buffer.alloc(32, 7)),
    recovered: Promise.resolve(),
    maintenance: { why: null },
    health: { ...healthyState(), work: 'begun' },
    state: createState({ config, db }),
  };
  app.metrics.collect = createMetricsCollector(app);
  await openBucket(app);
  await markMediaFolder(app);
  if (options.withTools) await findToolsOnce(app);
  const server = await createServer(app, routes, {
    plainRoutes,
    startedAt: 1_790_000_000,
    checkReplies: true,
    ...options.serverOptions,
  });
  const mismatches = checkReplies(server);

  return {
    app,
    runner,
    server,
    folder,
    async close() {
      await runner.end();
      await server.close();
      events.close();
      await closeSiteLookups(app);
      await closePoTokens(app);
      await forwardProxy.close();
      files.close();
      await closeDb();
      // Background work, such as the installation of a plugin, may still write for a moment.
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      if (mismatches.length > 0) throw new Error(mismatches.join('\n'));
    },
  };
}

/** Checks every response against the OpenAPI description. A mismatch fails the call to `inject`, or `close` for other requests. */
function checkReplies(server: FastifyInstance): string[] {
  const mismatches: string[] = [];
  server.addHook('onSend', async (request, reply, payload) => {
    const isJson = /[+/]json\b/.test(String(reply.getHeader('content-type')));
    const body = isJson && payload instanceof Readable ? Buffer.concat(await payload.toArray()) : payload;
    const mismatch = openapiMismatch({
      method: request.method,
      path: request.url.split('?')[0] ?? '',
      status: reply.statusCode,
      body: isJson && (typeof body === 'string' || Buffer.isBuffer(body)) ? (JSON.parse(String(body)) as unknown) : undefined,
    });
    if (mismatch) mismatches.push(mismatch);
    return body;
  });
  const inject = server.inject.bind(server) as (request: InjectOptions | string) => Promise<LightMyRequestResponse>;
  server.inject = (async (request: InjectOptions | string) => {
    const response = await inject(request);
    const mismatch = mismatches.shift();
    if (mismatch) throw new Error(mismatch);
    return response;
  }) as typeof server.inject;
  return mismatches;
}
export type TestApp = Awaited<ReturnType<typeof testApp>>;

setHashCost({ memory: 64, passes: 1, parallelism: 1 });
const hashes = new Map<string, Promise<string>>();
const hashOnce = (password: string) => hashes.getOrInsertComputed(password, hashPassword);

/** Creates a session like a login does, and returns its cookies. */
async function createTestSession(app: AppContext, accountId: number): Promise<Record<string, string>> {
  const cookies: Record<string, string> = {};
  const request = { cookies: {}, headers: { 'user-agent': 'lightMyRequest' }, ip: '127.0.0.1', protocol: 'http', basePath: '' };
  const reply = {
    setCookie: (name: string, value: string) => void (cookies[name] = value),
    clearCookie: () => reply,
  };
  await createSession(app, request as unknown as FastifyRequest, reply as unknown as FastifyReply, accountId, {
    remember: false,
    authenticatedAt: app.now(),
  });
  await recordLogin(app.db, accountId, app.now());
  return cookies;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Returns a client that sends requests like the web app, with the cookies of a login. */
export function createClient(server: TestApp['server'], cookies: Record<string, string>) {
  const headers = {
    cookie: Object.entries(cookies)
      .map(([key, value]) => `${key}=${value}`)
      .join('; '),
    'x-csrftoken': cookies.csrftoken ?? '',
  };
  return {
    headers,
    /** `confirm`: value of the header that confirms a sensitive action. */
    call: (method: Method, url: string, payload?: object | string, confirm?: string) =>
      server.inject({
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

/** Creates an account and a session. */
export async function createUser(
  { app, server }: Pick<TestApp, 'app' | 'server'>,
  { name = `user-${randomUUID().slice(0, 8)}`, password = 'correct horse', isStaff = false } = {},
) {
  const account = await addAccount(app.db, { name, passwordHash: await hashOnce(password), isStaff }, app.now());
  return { id: account!.id, name, password, ...createClient(server, await createTestSession(app, account!.id)) };
}

let counter = 0;

/** Creates a channel and returns its id. */
export async function createChannel(db: Db, values: Partial<Insertable<ChannelTable>> = {}): Promise<string> {
  const id = values.id ?? `UCchannel${String(++counter).padStart(15, '0')}`;
  const name = values.name ?? `Channel ${counter}`;
  await db
    .insertInto('channel')
    .values({ id, site: 'youtube', siteId: id, name, sortName: name.toLowerCase(), addedAt: 0, refreshedAt: 0, ...values })
    .execute();
  return id;
}

/** Creates a video without a file, in a new channel unless one is given. Returns its id. */
export async function createVideo(db: Db, values: Partial<Insertable<VideoTable>> = {}): Promise<string> {
  const channelId = values.channelId ?? (await createChannel(db));
  const id = values.id ?? `vid${String(++counter).padStart(8, '0')}`;
  const title = values.title ?? `Video ${counter}`;
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
      ...values,
    })
    .execute();
  return id;
}

/** Creates a queue item and returns its id. */
export async function createQueueItem(db: Db, values: Partial<NewItem> = {}): Promise<string> {
  const id = values.id ?? `que${String(++counter).padStart(8, '0')}`;
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
    ...values,
  });
  return id;
}
