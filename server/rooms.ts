import { channelRoutes } from './channel/routes.ts';
import { addToQueue } from './download/add-to-queue.ts';
import { downloadPending } from './download/download-pending.ts';
import { downloadRoutes } from './download/routes.ts';
import type { Route } from './http/route.ts';
import { playlistRoutes } from './playlist/routes.ts';
import { serviceRoutes } from './service/routes.ts';
import { settingsRoutes } from './settings/routes.ts';
import { taskRoutes } from './task/routes.ts';
import type { TaskDefinition } from './task/task.ts';
import { userRoutes } from './user/routes.ts';
import { videoRoutes } from './video/routes.ts';

// The whole product on one page: every route and every task.

export const routes: Route[] = [
  ...serviceRoutes,
  ...userRoutes,
  ...videoRoutes,
  ...channelRoutes,
  ...playlistRoutes,
  ...downloadRoutes,
  ...taskRoutes,
  ...settingsRoutes,
];

export const tasks = [addToQueue, downloadPending] as TaskDefinition[];
