import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { similarMomentsQuery } from '#web/api/queries/search.ts';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { VideosSkeleton } from '#web/video/list/Videos.tsx';
import { FoundVideos } from './FoundVideos.tsx';
import { Notices } from './Notices.tsx';
import { Group } from './ResultParts.tsx';
import type { Search } from './use-search.ts';
import styles from './SearchPage.module.css';

/** A passage of a video, and the moments similar to it. */
export function SimilarMoments({ video, search }: { video: string; search: Search }) {
  const { t } = useLingui();
  const query = useQuery(similarMomentsQuery(video, Number(search.search.get('at')) || 0));
  return (
    <QueryBoundary query={query} skeleton={<VideosSkeleton view="list" count={4} />}>
      {({ source, videos, ...reply }) => (
        <div>
          <section className={styles.source} aria-label={t`Selected moment`}>
            <FoundVideos videos={[source]} search={search} />
          </section>
          {videos.length === 0 && (
            <h2>
              <Trans>Similar in meaning</Trans>
            </h2>
          )}
          <Group name={t`Similar in meaning`} count={videos.length} hasMore={false}>
            <FoundVideos videos={videos} search={search} />
          </Group>
          <Notices of={reply} />
        </div>
      )}
    </QueryBoundary>
  );
}
