import { albumCalls } from './album.ts';
import { accessCalls } from './sessions.ts';
import { appsettingsCalls } from './appsettings.ts';
import { backupCalls } from './backup.ts';
import { chapterCalls } from './chapters.ts';
import { meaningCalls } from './meaning.ts';
import { mcpCalls } from './mcp.ts';
import { trashCalls } from './trash.ts';
import { channelCalls } from './channel.ts';
import { cookieCalls } from './cookie.ts';
import { healthCalls } from './health.ts';
import { homeCalls } from './home.ts';
import { downloadCalls } from './download.ts';
import { libraryCalls } from './library.ts';
import { clipCalls } from './clip.ts';
import { noteCalls } from './note.ts';
import { tagCalls } from './tag.ts';
import { smartListCalls } from './smart-list.ts';
import { bulkCalls } from './bulk.ts';
import { programImportCalls } from './program-import.ts';
import { mediaServerCalls } from './media-server.ts';
import { membershipCalls } from './membership.ts';
import { notifyCalls } from './notify.ts';
import { usersCalls } from './users.ts';
import { playbackCalls } from './playback.ts';
import { playlistCalls } from './playlist.ts';
import { podcastCalls } from './podcast.ts';
import { refreshCalls } from './refresh.ts';
import { renditionCalls } from './rendition.ts';
import { resolveCalls } from './resolve.ts';
import { rulesCalls } from './rules.ts';
import { runsCalls } from './runs.ts';
import { scheduleCalls } from './schedule.ts';
import { searchCalls } from './search.ts';
import { m3uCalls, shareCalls } from './share.ts';
import { serviceCalls } from './system.ts';
import { speechCalls } from './speech.ts';
import { statsCalls } from './stats.ts';
import { taskCalls } from './task.ts';
import { userCalls } from './user.ts';
import { videoCalls } from './video.ts';
import { viewCalls } from './view.ts';

/** The whole API as one table. */
export const api = {
  ...serviceCalls,
  ...userCalls,
  ...usersCalls,
  ...accessCalls,
  ...videoCalls,
  ...bulkCalls,
  ...renditionCalls,
  ...playbackCalls,
  ...noteCalls,
  ...clipCalls,
  ...tagCalls,
  ...albumCalls,
  ...speechCalls,
  ...meaningCalls,
  ...chapterCalls,
  ...smartListCalls,
  ...homeCalls,
  ...podcastCalls,
  ...shareCalls,
  ...m3uCalls,
  ...channelCalls,
  ...playlistCalls,
  ...searchCalls,
  ...mcpCalls,
  ...trashCalls,
  ...downloadCalls,
  ...resolveCalls,
  ...taskCalls,
  ...runsCalls,
  ...notifyCalls,
  ...scheduleCalls,
  ...rulesCalls,
  ...refreshCalls,
  ...libraryCalls,
  ...programImportCalls,
  ...appsettingsCalls,
  ...backupCalls,
  ...healthCalls,
  ...cookieCalls,
  ...statsCalls,
  ...membershipCalls,
  ...viewCalls,
  ...mediaServerCalls,
};
export type Api = typeof api;
