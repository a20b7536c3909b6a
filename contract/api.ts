import { accessCalls } from './access.ts';
import { appsettingsCalls } from './appsettings.ts';
import { backupCalls } from './backup.ts';
import { binCalls } from './bin.ts';
import { channelCalls } from './channel.ts';
import { cookieCalls } from './cookie.ts';
import { doctorCalls } from './doctor.ts';
import { downloadCalls } from './download.ts';
import { libraryCalls } from './library.ts';
import { listCalls } from './list.ts';
import { matchingCalls } from './matching.ts';
import { membershipCalls } from './membership.ts';
import { notifyCalls } from './notify.ts';
import { peopleCalls } from './people.ts';
import { playlistCalls } from './playlist.ts';
import { refreshCalls } from './refresh.ts';
import { renditionCalls } from './rendition.ts';
import { rulesCalls } from './rules.ts';
import { runsCalls } from './runs.ts';
import { scheduleCalls } from './schedule.ts';
import { searchCalls } from './search.ts';
import { serviceCalls } from './service.ts';
import { statsCalls } from './stats.ts';
import { taskCalls } from './task.ts';
import { userCalls } from './user.ts';
import { videoCalls } from './video.ts';

/** The whole API as one table. */
export const api = {
  ...serviceCalls,
  ...userCalls,
  ...peopleCalls,
  ...accessCalls,
  ...videoCalls,
  ...matchingCalls,
  ...renditionCalls,
  ...listCalls,
  ...channelCalls,
  ...playlistCalls,
  ...searchCalls,
  ...binCalls,
  ...downloadCalls,
  ...taskCalls,
  ...runsCalls,
  ...notifyCalls,
  ...scheduleCalls,
  ...rulesCalls,
  ...refreshCalls,
  ...libraryCalls,
  ...appsettingsCalls,
  ...backupCalls,
  ...doctorCalls,
  ...cookieCalls,
  ...statsCalls,
  ...membershipCalls,
};
export type Api = typeof api;
