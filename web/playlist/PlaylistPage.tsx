import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconPlaylist } from '@tabler/icons-react';
import { useState } from 'react';
import { useParams } from 'react-router';
import type { Playlist } from '#contract/playlist.ts';
import { ApiError } from '#web/api/call.ts';
import { videosText } from '#web/format/numbers.ts';
import { NotFound } from '#web/ui/NotFound.tsx';
import { useTitle } from '#web/ui/use-title.ts';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { EmptyState } from '#web/ui/Callout.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { VideoListing } from '#web/video/list/VideoListing.tsx';
import { VideosSkeleton } from '#web/video/list/Videos.tsx';
import { PlaylistHead } from './PlaylistHead.tsx';
import { playlistQuery } from '#web/api/queries/playlist.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import styles from './Playlists.module.css';

const Arrange = lazyComponent(async () => (await import('./ReorderPlaylist.tsx')).ReorderPlaylist);

const PlaylistSkeleton = () => (
  <div className={styles.head} aria-hidden>
    <Skeleton width="50%" height={34} />
    <Skeleton width="30%" />
    <Skeleton height={38} />
    <VideosSkeleton view="grid" count={6} />
  </div>
);

function MissingEntries({ playlist }: { playlist: Playlist }) {
  const { t } = useLingui();
  const missing = playlist.playlist_entries.filter((entry) => !entry.downloaded);
  if (missing.length === 0) return null;
  const missingVideos = videosText(missing.length);
  return (
    <details className={styles.missing}>
      <summary>{t`${missingVideos} not downloaded`}</summary>
      <ol>
        {missing.map((entry) => (
          <li key={entry.youtube_id}>
            {entry.idx + 1}. <bdi>{entry.title}</bdi>
          </li>
        ))}
      </ol>
    </details>
  );
}

/** Page of one playlist, with a list of the entries that are not downloaded. */
export function PlaylistPage() {
  const { t } = useLingui();
  const { playlistId = '' } = useParams();
  const query = useQuery(playlistQuery(playlistId));
  const [isReordering, setIsReordering] = useState(false);
  useTitle(query.data?.playlist_name);
  if (query.error instanceof ApiError && query.error.status === 404)
    return <NotFound what={t`That playlist does not exist`} goHome={t`Go home`} />;
  return (
    <QueryBoundary query={query} skeleton={<PlaylistSkeleton />}>
      {(playlist) => (
        <>
          <PlaylistHead playlist={playlist} isReordering={isReordering} onReorder={setIsReordering} />
          {isReordering ? (
            <Arrange playlist={playlist} />
          ) : (
            <VideoListing
              listPage="playlist"
              scope={{ playlist: playlistId }}
              head={null}
              empty={
                playlist.playlist_type === 'custom' ? (
                  <EmptyState icon={<IconPlaylist />} title={t`This playlist is empty`}>
                    {t`Use the + on any thumbnail, or select several videos.`}
                  </EmptyState>
                ) : (
                  <EmptyState icon={<IconPlaylist />} title={t`No videos downloaded yet`}>
                    {t`Videos appear here in playlist order once they are downloaded.`}
                  </EmptyState>
                )
              }
            />
          )}
          <MissingEntries playlist={playlist} />
        </>
      )}
    </QueryBoundary>
  );
}
