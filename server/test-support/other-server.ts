import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createState } from '../app/create-state.ts';
import { openFileStore } from '../app/open-file-store.ts';
import { plainRoutes, routes } from '../app/registry.ts';
import { readConfig } from '../platform/config/config.ts';
import { makeFolders } from '../platform/config/data-folder.ts';
import type { AppContext } from '../platform/context/app-context.ts';
import { createServer } from '../platform/http/server/create-server.ts';
import type { TestApp } from './app.ts';

/** Opens another server on the database and the bucket of an archive, with another data folder. It runs no tasks. */
export async function openOtherServer({ app: first }: TestApp, env: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'reelkeep-other-'));
  const config = { ...readConfig({ ...env, REELKEEP_DATA: folder }), databaseUrl: first.config.databaseUrl };
  await makeFolders(config);
  const files = await openFileStore(config);
  const app: AppContext = { ...first, config, files, state: createState({ config, db: first.db }) };
  const server = await createServer(app, routes, { plainRoutes, startedAt: 1_790_000_000, checkReplies: true });
  return {
    app,
    server,
    async close() {
      await server.close();
      files.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
