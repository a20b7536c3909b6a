import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconArrowsSort, IconExternalLink, IconListDetails } from '@tabler/icons-react';
import type { Playlist } from '#contract/playlist.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { ChannelCard } from '#web/channel/Channels.tsx';
import { MarkAll } from '#web/channel/MarkAll.tsx';
import { channelQuery } from '#web/channel/queries.ts';
import { Reindex } from '#web/channel/Reindex.tsx';
import { SubscribeButton } from '#web/channel/Subscribe.tsx';
import { agoText, momentText } from '#web/format/dates.ts';
import { videosText } from '#web/format/numbers.ts';
import { ActionRow } from '#web/ui/ActionRow.tsx';
import { Button, buttonClass } from '#web/ui/Button.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useIsStaff } from '#web/user/queries.ts';
import { videoList } from '#web/video/queries.ts';
import { RichText } from '#web/video/RichText.tsx';
import { DeletePlaylist } from './DeletePlaylist.tsx';
import { PlayAll } from './PlayAll.tsx';
import styles from './Playlists.module.css';

/** Where the playlist is at its site; null for one that is not there, or of a site whose addresses are not known. */
const sourceOf = ({ playlist_id: id, playlist_type: type }: Playlist) =>
  type === 'regular' && /^[\w-]+$/.test(id) ? `https://www.youtube.com/playlist?list=${id}` : null;

function Facts({ playlist }: { playlist: Playlist }) {
  const { t } = useLingui();
  const { playlist_id: id, playlist_entries: entries, playlist_last_refresh: refreshed } = playlist;
  const here = entries.filter((entry) => entry.downloaded).length;
  const { data: watched } = useQuery(videoList({ playlist: id, watch: 'watched' }));
  const inAll = videosText(entries.length);
  const seen = watched?.paginate.total_hits ?? 0;
  const refreshedAgo = agoText(refreshed);
  return (
    <p className={styles.facts}>
      <span>{here === entries.length ? inAll : t`${here} of ${inAll} here`}</span>
      {playlist.playlist_type === 'regular' && <span title={momentText(refreshed)}>{t`last refreshed ${refreshedAgo}`}</span>}
      <span className={watched ? undefined : styles.unknown}>{t`${seen} watched, ${here - seen} not`}</span>
    </p>
  );
}

interface Props {
  playlist: Playlist;
  isArranging: boolean;
  onArrange(isArranging: boolean): void;
}

/** What a playlist is, and what can be done with it. */
export function PlaylistHead({ playlist, isArranging, onArrange }: Props) {
  const { t } = useLingui();
  const say = useToast();
  const isStaff = useIsStaff();
  const { playlist_id: id, playlist_sort_order: order, playlist_channel_id: channelId } = playlist;
  const isCustom = playlist.playlist_type === 'custom';
  const channel = useQuery({ ...channelQuery(channelId ?? ''), enabled: !isCustom && channelId !== null });
  const source = sourceOf(playlist);
  const here = playlist.playlist_entries.filter((entry) => entry.downloaded).length;
  const sort = useMutation({
    mutationFn: (playlist_sort_order: 'top' | 'bottom') =>
      call('POST /api/playlist/:id/', { params: { id }, body: { playlist_sort_order } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['playlist'] }),
    onError: (error) => say(error.message, { isDanger: true }),
  });
  // A site that has no words for it says “False”.
  const words = playlist.playlist_description === 'False' ? null : playlist.playlist_description;
  return (
    <header className={styles.head}>
      <h1>
        <bdi>{playlist.playlist_name}</bdi>
      </h1>
      <Facts playlist={playlist} />
      {(channel.data || channel.isLoading) && (
        <div className={styles.channel}>
          {channel.data ? <ChannelCard channel={channel.data} /> : <span className={styles.awaited} data-skeleton />}
        </div>
      )}
      {words && <RichText text={words} durationSeconds={0} onSeek={() => {}} foldAfter={3} />}
      <ActionRow>
        {here > 0 && <PlayAll id={id} />}
        {isStaff && !isCustom && (
          <SubscribeButton
            room="playlist"
            isSubscribed={playlist.playlist_subscribed}
            change={(next) => call('POST /api/playlist/:id/', { params: { id }, body: { playlist_subscribed: next } })}
          />
        )}
        {source && (
          <a className={buttonClass()} href={source} target="_blank" rel="noopener noreferrer nofollow">
            <IconExternalLink aria-hidden />
            <span>{playlist.playlist_active ? t`Source: Active` : t`Source: Deactivated`}</span>
          </a>
        )}
        <MarkAll of={{ playlist: id }} count={here} />
        {isCustom && (
          <Button icon={<IconListDetails aria-hidden />} aria-pressed={isArranging} onClick={() => onArrange(!isArranging)}>
            {isArranging ? <Trans>Done</Trans> : <Trans>Arrange</Trans>}
          </Button>
        )}
        {isStaff && !isCustom && (
          <>
            <Button
              icon={<IconArrowsSort aria-hidden />}
              isBusy={sort.isPending}
              title={t`Where new entries of the site are added`}
              onClick={() => sort.mutate(order === 'top' ? 'bottom' : 'top')}
            >
              {order === 'top' ? t`Sort order: top` : t`Sort order: bottom`}
            </Button>
            <Reindex what={{ playlist: [id] }}>{t`Reindex`}</Reindex>
            <Reindex what={{ playlist: [id] }} withVideos>
              {t`Reindex videos`}
            </Reindex>
          </>
        )}
        {isStaff && <DeletePlaylist playlist={playlist} />}
      </ActionRow>
    </header>
  );
}
