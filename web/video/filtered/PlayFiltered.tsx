import { call } from '#web/api/call.ts';
import { fetchAllPages } from '#web/api/fetch-all-pages.ts';
import type { Filter } from '#web/api/queries/video-filter.ts';
import { ActionRow } from '#web/ui/ActionRow.tsx';
import { PlayAll } from '../actions/PlayAll.tsx';

/** Plays the videos of a filter, as the tracks of an album, in the order of the list. */
export const PlayFiltered = ({ filter }: { filter: Filter }) => (
  <ActionRow isCompact>
    <PlayAll load={() => fetchAllPages((page) => call('GET /api/video/', { query: { ...filter, page } }))} />
  </ActionRow>
);
