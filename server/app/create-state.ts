import type { AppContext } from '../platform/context/app-context.ts';
import type { AppState } from '../platform/context/app-state.ts';
import { createRefusalLog } from '../platform/http/auth/auth-log.ts';
import { limitersOf } from '../platform/http/limiter.ts';
import { createToolCallLimit } from '../features/mcp/tool-call-limit.ts';
import { createCustomPlaylistLimit } from '../features/playlist/routes.ts';
import { createPodcastState } from '../features/podcast/routes.ts';
import { createShareLimits } from '../features/share/access.ts';
import { createDeletionLimits } from '../features/user/confirm-deletion.ts';
import { createLoginThrottle } from '../features/user/login/login-throttle.ts';
import { createChannelArtState } from '../archive/channel/pictures.ts';
import { createOidcFlows } from '../features/user/login/oidc.ts';
import { createPoTokenState } from '../archive/sites/po-tokens.ts';
import { createSiteLookups } from '../features/resolve/site-lookups.ts';
import { createSearchQueue } from '../features/search/query/search-queue.ts';

/** Creates the state of an app context. */
export function createState(app: Pick<AppContext, 'config' | 'db'>): AppState {
  const createLimiter = limitersOf(app);
  return {
    activeDownloads: new Map(),
    statistics: new Map(),
    audioTracks: new Map(),
    channelArt: createChannelArtState(),
    channelLookups: { remembered: new Map(), waiting: 0, last: Promise.resolve() },
    customPlaylistLimit: createCustomPlaylistLimit(createLimiter),
    downloadSlots: new Map(),
    dailySnapshotAt: null,
    deletionLimits: createDeletionLimits(createLimiter),
    failedYtdlp: null,
    hlsSessions: null,
    invalidFormats: [],
    unknownClients: [],
    loggedScheduleErrors: new Set(),
    loginThrottle: createLoginThrottle(createLimiter),
    mediaServerSyncs: new Map(),
    oidcFlows: createOidcFlows(createLimiter),
    oidcProviders: new Map(),
    playedAt: null,
    poTokens: createPoTokenState(),
    potPlugin: null,
    podcastCovers: new Map(),
    podcasts: createPodcastState(createLimiter),
    queueThumbnails: new Map(),
    questionProcess: null,
    passagesFailedAt: null,
    segmentsStartedAt: null,
    chaptersFailedAt: null,
    meaningFiles: Promise.resolve(),
    refusalLog: createRefusalLog(),
    retentionCheckedAt: null,
    searchQueue: createSearchQueue(),
    sentMedia: new Map(),
    sessionLookups: new Map(),
    sharePasswords: createShareLimits(createLimiter),
    siteLookups: createSiteLookups(),
    toolCallLimit: createToolCallLimit(createLimiter),
    transcriptsSoughtAt: null,
    videoEncoders: null,
    viewUpdates: new Map(),
  };
}
