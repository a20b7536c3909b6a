import { appsettingsCalls } from './appsettings.ts';
import { channelCalls } from './channel.ts';
import { downloadCalls } from './download.ts';
import { notifyCalls } from './notify.ts';
import { playlistCalls } from './playlist.ts';
import { scheduleCalls } from './schedule.ts';
import { serviceCalls } from './service.ts';
import { taskCalls } from './task.ts';
import { userCalls } from './user.ts';
import { videoCalls } from './video.ts';

/** The whole API as one table. */
export const api = {
  ...serviceCalls,
  ...userCalls,
  ...videoCalls,
  ...channelCalls,
  ...playlistCalls,
  ...downloadCalls,
  ...taskCalls,
  ...notifyCalls,
  ...scheduleCalls,
  ...appsettingsCalls,
};
export type Api = typeof api;
