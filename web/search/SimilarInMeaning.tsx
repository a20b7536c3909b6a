import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { momentsQuery } from '#web/api/queries/search.ts';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { VideosSkeleton } from '#web/video/list/Videos.tsx';
import { FoundVideos } from './FoundVideos.tsx';
import { Notices } from './Notices.tsx';
import { Group } from './ResultParts.tsx';
import type { Search } from './use-search.ts';
import styles from './SearchPage.module.css';

/** Passages with a similar meaning, in other words or languages, below the matches of the words. */
export function SimilarInMeaning({ search }: { search: Search }) {
  const { t } = useLingui();
  const meaning = { ...search.moments, mode: 'meaning' as const };
  const query = useQuery(momentsQuery(meaning));
  return (
    <QueryBoundary query={query} skeleton={<VideosSkeleton view="list" count={2} />}>
      {(reply) => {
        const { videos, has_more: hasMore, notices } = reply;
        // If the model did not answer, words were searched again.
        const found = notices.some(({ id }) => id === 'search.meaning-late') ? [] : videos;
        return (
          <div className={query.isPlaceholderData ? styles.stale : undefined} aria-busy={query.isPlaceholderData}>
            {found.length === 0 && (
              <h2>
                <Trans>Similar in meaning</Trans>
              </h2>
            )}
            <Group name={t`Similar in meaning`} count={found.length} hasMore={hasMore}>
              <FoundVideos videos={found} search={{ ...search, moments: meaning }} />
            </Group>
            <Notices of={reply} />
          </div>
        );
      }}
    </QueryBoundary>
  );
}
