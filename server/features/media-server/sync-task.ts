import { z } from 'zod';
import { message, messages } from '#contract/messages.ts';
import { defineTask } from '../../platform/context/task.ts';
import { findServer, listPersons } from './store.ts';
import { syncServer } from './sync-server.ts';

/** Synchronizes a media server, or reports what would change. */
export const syncMediaServer = defineTask({
  name: 'sync_media_server',
  title: messages['task.sync_media_server'],
  group: 'setting:media-servers',
  isStartable: false,
  isStoppable: true,
  isParallel: true,
  input: z.object({ server: z.int(), dryRun: z.boolean() }),

  async run({ input, signal, report }, app) {
    const server = await findServer(app.db, input.server);
    if (!server) return undefined; // removed meanwhile
    const { name } = server;
    const about = message('media-server.syncing', { name });
    report({ messages: [about] });
    const result = await syncServer(app, server.number, {
      isDryRun: input.dryRun,
      isManual: true,
      signal,
      progress: (now) => report({ messages: [about, ...now] }),
    }).finally(() => app.announce('media-server'));
    if (!result) return undefined;
    const { here, there, playlists, problems } = result;
    return [
      message(input.dryRun ? 'media-server.dry-run' : 'media-server.synced', { name, here, there, playlists }),
      ...((await listPersons(app.db, server.number)).length === 0 ? [message('media-server.no-persons')] : []),
      ...(problems > 0 ? [message('media-server.synced-problems', { count: problems })] : []),
    ];
  },
});
