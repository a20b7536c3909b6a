import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, type ReactNode } from 'react';
import { Link } from 'react-router';
import { ChannelCard } from '#web/subscription/ChannelCard.tsx';
import { PlaylistCard } from '#web/playlist/grid/PlaylistGrid.tsx';
import { useTitle } from '#web/ui/use-title.ts';
import { Button } from '#web/ui/Button.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { VideoCard } from '#web/video/list/VideoCard.tsx';
import { VideosSkeleton } from '#web/video/list/Videos.tsx';
import { SearchHelp } from './SearchHelp.tsx';
import { NothingFound } from './NothingFound.tsx';
import { searchQuery, type SearchReply } from '#web/api/queries/search.ts';
import { correctedQuery, formatQuery, pathOfSearch, withType, type SearchType } from './query-words.ts';
import { rememberSearch } from './recent.ts';
import { SearchFilters } from './SearchFilters.tsx';
import { TranscriptHits } from './TranscriptHits.tsx';
import { useSearch, type Search } from './use-search.ts';
import styles from './SearchPage.module.css';

const settledMs = 1500;

interface GroupProps {
  name: string;
  count: number;
  hasMore: boolean;
  /** Opens all results of this type; undefined if all of them are visible. */
  onAll?: (() => void) | undefined;
  children: ReactNode;
}

function Group({ name, count, hasMore, onAll, children }: GroupProps) {
  const { t } = useLingui();
  const id = useId();
  if (count === 0) return null;
  return (
    <section className={styles.group} aria-labelledby={id}>
      <div className={styles.groupHead}>
        <h2 id={id}>
          {name} <span className={`${styles.count} number`}>{hasMore ? `${count}+` : count}</span>
        </h2>
        {onAll && (
          <Button size="s" kind="quiet" aria-label={t`Show all: ${name}`} onClick={onAll}>
            <Trans>Show all</Trans>
          </Button>
        )}
      </div>
      {children}
    </section>
  );
}

const countOf = ({ results }: SearchReply) => Object.values(results).reduce((sum, list) => sum + list.length, 0);

function Results({ found, spoken, search }: { found: SearchReply; spoken: SearchReply | undefined; search: Search }) {
  const { t } = useLingui();
  const { video_results: videos, channel_results: channels, playlist_results: playlists } = found.results;
  const isSimple = search.words.type === 'simple';
  const lines = isSimple ? (spoken?.results.fulltext_results ?? []) : found.results.fulltext_results;
  const all = (type: SearchType) => (isSimple ? () => search.put({ query: withType(search.query, type) }, true) : undefined);
  return (
    <>
      <Group name={t`Channels`} count={channels.length} hasMore={found.has_more} onAll={all('channel')}>
        <ul className={styles.sources}>
          {channels.map((channel) => (
            <li key={channel.channel_id}>
              <ChannelCard channel={channel} />
            </li>
          ))}
        </ul>
      </Group>
      <Group name={t`Videos`} count={videos.length} hasMore={found.has_more} onAll={all('video')}>
        <ul className={styles.videos}>
          {videos.map((video) => (
            <li key={video.youtube_id}>
              <VideoCard video={video} />
            </li>
          ))}
        </ul>
      </Group>
      <Group name={t`Playlists`} count={playlists.length} hasMore={found.has_more} onAll={all('playlist')}>
        <ul className={styles.sources}>
          {playlists.map((playlist) => (
            <li key={playlist.playlist_id}>
              <PlaylistCard playlist={playlist} shape="row" />
            </li>
          ))}
        </ul>
      </Group>
      <Group
        name={t`Transcripts`}
        count={lines.length}
        hasMore={(isSimple ? spoken : found)?.has_more === true}
        onAll={all('full')}
      >
        <TranscriptHits hits={lines} search={search} />
      </Group>
    </>
  );
}

/** Says that words were taken for typing errors, and offers to search for them as typed. */
function Corrected({ search, replies }: { search: Search; replies: (SearchReply | undefined)[] }) {
  const corrected = correctedQuery(
    search.query,
    replies.flatMap((reply) => reply?.corrections ?? []),
  );
  if (!corrected) return null;
  const { terms, literal } = corrected;
  const typed = search.words.terms;
  return (
    <p className={styles.corrected}>
      <Trans>
        Showing results for <strong>{terms}</strong>. <Link to={pathOfSearch(literal)}>Search for “{typed}” instead</Link>
      </Trans>
    </p>
  );
}

function Pages({ search, hasMore }: { search: Search; hasMore: boolean }) {
  const page = Math.max(1, search.page);
  const go = (next: number) => {
    search.put({ page: next > 1 ? String(next) : null }, true);
    scrollTo({ top: 0 });
  };
  if (page === 1 && !hasMore) return null;
  return (
    <div className={styles.pages}>
      <Button disabled={page === 1} onClick={() => go(page - 1)}>
        <Trans>Back</Trans>
      </Button>
      <span className="number">{page}</span>
      <Button disabled={!hasMore} onClick={() => go(page + 1)}>
        <Trans>More results</Trans>
      </Button>
    </div>
  );
}

function Searched({ search }: { search: Search }) {
  const query = useQuery(searchQuery(search.options));
  const isSimple = search.words.type === 'simple';
  // The server runs one search per window at a time, so the transcript search waits for the other results.
  const spoken = useQuery({
    ...searchQuery({ ...search.options, query: formatQuery({ ...search.words, type: 'full' }) }),
    enabled: isSimple && search.words.terms !== '' && query.isSuccess && !query.isPlaceholderData,
  });
  const isSettled = query.isSuccess && !query.isPlaceholderData;
  const total = isSettled ? countOf(query.data) + (isSimple ? (spoken.data ? countOf(spoken.data) : 0) : 0) : 0;
  const hasFound = total > 0;
  useEffect(() => {
    if (!hasFound) return;
    const timer = setTimeout(() => rememberSearch(search.query), settledMs);
    return () => clearTimeout(timer);
  }, [hasFound, search.query]);
  const hasMore = query.data?.has_more === true || (isSimple && spoken.data?.has_more === true);
  const isOver = isSettled && (!isSimple || !spoken.isFetching);
  return (
    <div className={query.isPlaceholderData ? styles.stale : undefined} aria-busy={query.isFetching}>
      <p className="hidden" role="status">
        {isOver && <Plural value={total} one="# result" other="# results" />}
      </p>
      <QueryBoundary query={query} skeleton={<VideosSkeleton view="grid" count={6} />}>
        {(found) => (
          <>
            {isOver && total > 0 && <Corrected search={search} replies={[found, isSimple ? spoken.data : undefined]} />}
            <Results found={found} spoken={spoken.data} search={search} />
            {isOver && total === 0 && <NothingFound search={search} />}
            <Pages search={search} hasMore={hasMore} />
          </>
        )}
      </QueryBoundary>
    </div>
  );
}

/** Search page with videos, channels, playlists and transcripts. */
export function SearchPage() {
  const { t } = useLingui();
  const search = useSearch();
  useTitle(search.query ? t`${search.query} – Search` : t`Search`);
  const isBlank = search.query.trim() === '';
  return (
    <div className={styles.page}>
      <h1 className={isBlank ? '' : 'hidden'}>
        <Trans>Search</Trans>
      </h1>
      {isBlank ? (
        <SearchHelp />
      ) : (
        <>
          <SearchFilters search={search} />
          <Searched search={search} />
        </>
      )}
    </div>
  );
}
