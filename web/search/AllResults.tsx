import { Plural, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { momentsQuery, searchQuery } from '#web/api/queries/search.ts';
import { useIsStaff } from '#web/api/account.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { VideosSkeleton } from '#web/video/list/Videos.tsx';
import { FoundVideos } from './FoundVideos.tsx';
import { KindChips } from './KindChips.tsx';
import { ChannelGroup, PlaylistGroup } from './NamedGroups.tsx';
import { NothingFound } from './NothingFound.tsx';
import { Notices } from './Notices.tsx';
import { withType, type SearchType } from './query-words.ts';
import { Corrected, Group, Pages, useRememberedSearch } from './ResultParts.tsx';
import type { Search } from './use-search.ts';
import styles from './SearchPage.module.css';

const SimilarInMeaning = lazyComponent(async () => (await import('./SimilarInMeaning.tsx')).SimilarInMeaning);
const TurnOnMeaning = lazyComponent(async () => (await import('./TurnOnMeaning.tsx')).TurnOnMeaning);

// A search with fewer results may have other words than the videos.
const fewResults = 4;
// More of them would push the videos off the first screen.
const mostChannels = 3;

/**
 * Channels and playlists that match by name, on the first page. Keywords and filters are about videos. The server runs one search per
 * window at a time: names are found sooner, and channels are above the videos, so nothing moves when these arrive.
 */
function useNames({ query, words, page, chosen }: Search) {
  const isWanted = page <= 1 && chosen === 0 && words.keys.length === 0 && query.trim() !== '';
  const names = useQuery({ ...searchQuery({ query: words.terms }), enabled: isWanted });
  return { isWanted, names, isOver: !isWanted || names.isFetched };
}

/** Results of a search of all types: channels, videos with their moments, playlists. */
export function AllResults({ search }: { search: Search }) {
  const { t } = useLingui();
  const { isWanted, names, isOver: hasNames } = useNames(search);
  const videos = useQuery({ ...momentsQuery(search.moments, 'page'), enabled: hasNames });
  const isSettled = hasNames && videos.isFetched && !videos.isPlaceholderData;
  const found = isWanted ? names.data : undefined;
  const channels = found?.results.channel_results ?? [];
  const playlists = found?.results.playlist_results ?? [];
  const total = isSettled ? channels.length + playlists.length + (videos.data?.videos.length ?? 0) : 0;
  useRememberedSearch(search.query, total > 0);
  const isStaff = useIsStaff();
  // On the first page, if spoken words are among the kinds.
  const isAboutSpeech = search.page <= 1 && (search.kinds.length === 0 || search.kinds.includes('spoken'));
  const showAll = (type: SearchType) => () => search.put({ query: withType(search.query, type), in: null }, true);
  const hasMore = found?.has_more === true;
  return (
    <div className={isSettled || videos.data === undefined ? undefined : styles.stale} aria-busy={!isSettled}>
      <p className="hidden" role="status">
        {isSettled && <Plural value={total} one="# result" other="# results" />}
      </p>
      <ChannelGroup
        channels={channels.slice(0, mostChannels)}
        hasMore={hasMore || channels.length > mostChannels}
        onAll={showAll('channel')}
      />
      <QueryBoundary query={videos} skeleton={<VideosSkeleton view="list" count={6} />}>
        {(reply) => (
          <>
            <Notices of={reply} />
            {total > 0 && (
              <Corrected search={search} corrections={(reply.videos.length > 0 ? reply : (found ?? reply)).corrections} />
            )}
            <KindChips search={search} counts={reply.counts} isReady={isSettled} />
            <Group name={t`Videos`} count={reply.videos.length} hasMore={reply.has_more}>
              <FoundVideos videos={reply.videos} search={search} />
            </Group>
            {isSettled && <PlaylistGroup playlists={playlists} hasMore={hasMore} onAll={showAll('playlist')} />}
            {isSettled && total === 0 && (
              <NothingFound search={search} {...(isAboutSpeech && { hasMeaning: reply.has_meaning })} />
            )}
            <Pages search={search} hasMore={reply.has_more} />
            {isSettled && isAboutSpeech && reply.has_meaning && <SimilarInMeaning search={search} />}
            {isSettled && isAboutSpeech && !reply.has_meaning && isStaff && total > 0 && total < fewResults && <TurnOnMeaning />}
          </>
        )}
      </QueryBoundary>
    </div>
  );
}
