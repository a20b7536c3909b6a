import { useQuery } from '@tanstack/react-query';
import { IconPlaylist } from '@tabler/icons-react';
import { Link, useParams } from 'react-router';
import { ApiError, call } from '#web/api/call.ts';
import { SubscribeButton } from '#web/channel/Subscribe.tsx';
import { countOf } from '#web/format/numbers.ts';
import { NotFound } from '#web/shell/Lost.tsx';
import { useTitle } from '#web/shell/title.ts';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Empty } from '#web/ui/Note.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useConfig, useIsStaff, useSaveConfig } from '#web/user/queries.ts';
import { RichText } from '#web/video/RichText.tsx';
import { VideoListing } from '#web/video/VideoListing.tsx';
import { ViewChoice } from '#web/video/ViewChoice.tsx';
import { playlistQuery } from './queries.ts';
import styles from './Playlists.module.css';

/** One playlist in its own order, and what of it is not in the archive. */
export function PlaylistPage() {
  const { playlistId = '' } = useParams();
  const query = useQuery(playlistQuery(playlistId));
  const isStaff = useIsStaff();
  const config = useConfig();
  const save = useSaveConfig();
  useTitle(query.data?.playlist_name);
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound what="That playlist does not exist" />;
  return (
    <Loaded query={query} skeleton={<Skeleton height={120} />}>
      {(playlist) => {
        const missing = playlist.playlist_entries.filter((entry) => !entry.downloaded);
        const there = playlist.playlist_entries.length - missing.length;
        return (
          <>
            <header className={styles.head}>
              <h1>
                <bdi>{playlist.playlist_name}</bdi>
              </h1>
              <div className={styles.bar}>
                <p className={styles.facts}>
                  {playlist.playlist_channel_id && (
                    <>
                      <Link to={`/channel/${encodeURIComponent(playlist.playlist_channel_id)}/`}>
                        <bdi>{playlist.playlist_channel}</bdi>
                      </Link>
                      {' · '}
                    </>
                  )}
                  {missing.length === 0
                    ? countOf(there, 'video')
                    : `${there} of ${countOf(playlist.playlist_entries.length, 'video')} here`}
                </p>
                <div className={styles.actions}>
                  {isStaff && playlist.playlist_type === 'regular' && (
                    <SubscribeButton
                      room="playlist"
                      isSubscribed={playlist.playlist_subscribed}
                      change={(isSubscribed) =>
                        call('POST /api/playlist/:id/', {
                          params: { id: playlistId },
                          body: { playlist_subscribed: isSubscribed },
                        })
                      }
                    />
                  )}
                  {config && (
                    <ViewChoice
                      value={config.view_style_playlist}
                      onChange={(view) => save.mutate({ view_style_playlist: view })}
                    />
                  )}
                </div>
              </div>
              {playlist.playlist_description && (
                <RichText text={playlist.playlist_description} durationSeconds={0} onSeek={() => {}} foldAfter={3} />
              )}
            </header>
            {config && (
              <VideoListing
                filter={{ playlist: playlistId }}
                view={config.view_style_playlist}
                empty={
                  <Empty icon={<IconPlaylist />} title="Nothing of it is here yet">
                    As its videos arrive they appear here, in the playlist's order.
                  </Empty>
                }
              />
            )}
            {missing.length > 0 && (
              <details className={styles.missing}>
                <summary>{countOf(missing.length, 'video')} not in the archive</summary>
                <ol>
                  {missing.map((entry) => (
                    <li key={entry.youtube_id}>
                      {entry.idx + 1}. <bdi>{entry.title}</bdi>
                    </li>
                  ))}
                </ol>
              </details>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
