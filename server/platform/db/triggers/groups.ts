import { counts } from './counts.ts';
import { facets } from './facets.ts';
import { generatedChapters } from './generated-chapters.ts';
import { moments } from './moments.ts';
import { monthlyCounts } from './monthly-counts.ts';
import { passages } from './passages.ts';
import { playlistVisibility } from './playlist-visibility.ts';
import { queueSearch } from './queue-search.ts';
import { responseCache } from './response-cache.ts';
import { searchBranding } from './search-branding.ts';
import { search } from './search.ts';
import { stats } from './stats.ts';
import { storyboardQueue } from './storyboard-queue.ts';
import { viewQueue } from './view-queue.ts';
import { watchTime } from './watch-time.ts';
import type { TriggerGroup } from './triggers.ts';

/** All triggers, in the order in which they are created. */
export const triggerGroups: readonly TriggerGroup[] = [
  counts,
  monthlyCounts,
  watchTime,
  stats,
  playlistVisibility,
  facets, // reads the videos of playlists
  storyboardQueue,
  viewQueue, // reads facets and the videos of playlists
  queueSearch,
  search,
  searchBranding,
  moments,
  passages,
  generatedChapters,
  responseCache,
];
