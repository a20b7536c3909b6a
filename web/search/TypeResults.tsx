import { Plural, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { searchQuery, type SearchReply } from '#web/api/queries/search.ts';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { VideoCard } from '#web/video/list/VideoCard.tsx';
import { VideosSkeleton } from '#web/video/list/Videos.tsx';
import { ChannelGroup, PlaylistGroup } from './NamedGroups.tsx';
import { NothingFound } from './NothingFound.tsx';
import { Corrected, Group, Pages, useRememberedSearch } from './ResultParts.tsx';
import { TranscriptHits } from './TranscriptHits.tsx';
import type { Search } from './use-search.ts';
import styles from './SearchPage.module.css';

function Results({ found: { results, has_more: hasMore }, search }: { found: SearchReply; search: Search }) {
  const { t } = useLingui();
  const { video_results: videos, fulltext_results: lines } = results;
  return (
    <>
      <ChannelGroup channels={results.channel_results} hasMore={hasMore} />
      <Group name={t`Videos`} count={videos.length} hasMore={hasMore}>
        <ul className={styles.videos}>
          {videos.map((video) => (
            <li key={video.youtube_id}>
              <VideoCard video={video} />
            </li>
          ))}
        </ul>
      </Group>
      <PlaylistGroup playlists={results.playlist_results} hasMore={hasMore} />
      <Group name={t`Transcripts`} count={lines.length} hasMore={hasMore}>
        <TranscriptHits hits={lines} search={search} />
      </Group>
    </>
  );
}

const countOf = ({ results }: SearchReply) => Object.values(results).reduce((sum, list) => sum + list.length, 0);

/** Results of a search of one type. */
export function TypeResults({ search }: { search: Search }) {
  const query = useQuery(searchQuery(search.options));
  const isSettled = query.isSuccess && !query.isPlaceholderData;
  const total = isSettled ? countOf(query.data) : 0;
  useRememberedSearch(search.query, total > 0);
  return (
    <div className={query.isPlaceholderData ? styles.stale : undefined} aria-busy={query.isFetching}>
      <p className="hidden" role="status">
        {isSettled && <Plural value={total} one="# result" other="# results" />}
      </p>
      <QueryBoundary query={query} skeleton={<VideosSkeleton view="grid" count={6} />}>
        {(found) => (
          <>
            {total > 0 && <Corrected search={search} corrections={found.corrections} />}
            <Results found={found} search={search} />
            {isSettled && total === 0 && <NothingFound search={search} />}
            <Pages search={search} hasMore={found.has_more} />
          </>
        )}
      </QueryBoundary>
    </div>
  );
}
