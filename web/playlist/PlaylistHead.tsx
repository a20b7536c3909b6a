import { useAction } from '#web/confirm/use-action.ts';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconChecks, IconDots, IconFilter, IconListDetails, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Playlist } from '#contract/playlist.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { ChannelCard } from '#web/subscription/ChannelCard.tsx';
import { MarkAllDialog } from '#web/video/selection/MarkAll.tsx';
import { channelQuery } from '#web/api/queries/channel.ts';
import { playlistVideos } from '#web/api/queries/playlist.ts';
import { useReindex } from '#web/subscription/Reindex.tsx';
import { SubscribeButton } from '#web/subscription/Subscribe.tsx';
import { agoText, dateTimeText } from '#web/format/dates.ts';
import { videosText } from '#web/format/numbers.ts';
import { ActionRow } from '#web/ui/ActionRow.tsx';
import { Menu, MenuCheck, MenuItem, MenuSeparator } from '#web/ui/Menu.tsx';
import { PlayAll } from '#web/video/actions/PlayAll.tsx';
import { Button } from '#web/ui/Button.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useIsStaff } from '#web/api/account.ts';
import { videoList } from '#web/api/queries/video.ts';
import { ListDialog, ListItems, type SharingDialog } from '#web/sharing/ListItems.tsx';
import { RichText } from '#web/ui/RichText.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { ownershipText } from './grid/ownership-text.ts';
import { DeletePlaylist } from './DeletePlaylist.tsx';
import { NewEntries } from './NewEntries.tsx';
import styles from './Playlists.module.css';

const RulesDialog = lazyComponent(async () => (await import('#web/rules/RulesDialog.tsx')).RulesDialog);

/** URL of the playlist at its site; null for custom playlists and for sites without a known URL format. */
const sourceUrl = ({ playlist_id: id, playlist_type: type }: Playlist) =>
  type === 'regular' && /^[\w-]+$/.test(id) ? `https://www.youtube.com/playlist?list=${id}` : null;

function PlaylistMeta({ playlist }: { playlist: Playlist }) {
  const { t } = useLingui();
  const { playlist_id: id, playlist_entries: entries, playlist_last_refresh: refreshed } = playlist;
  const downloaded = entries.filter((entry) => entry.downloaded).length;
  const { data: watched } = useQuery(videoList({ playlist: id, watch: 'watched' }));
  const source = sourceUrl(playlist);
  const ownership = ownershipText(playlist);
  const total = videosText(entries.length);
  const watchedCount = watched?.paginate.total_hits ?? 0;
  const refreshedAgo = agoText(refreshed);
  return (
    <p className={styles.meta}>
      <span>{downloaded === entries.length ? total : t`${downloaded} of ${total} downloaded`}</span>
      {playlist.playlist_type === 'regular' && <span title={dateTimeText(refreshed)}>{t`last refreshed ${refreshedAgo}`}</span>}
      {ownership && <span>{ownership}</span>}
      {source && (
        <span>
          <Trans>Source:</Trans>{' '}
          <a href={source} target="_blank" rel="noopener noreferrer nofollow" className={styles.source}>
            {playlist.playlist_active ? t`Active` : t`Deactivated`}
          </a>
        </span>
      )}
      <span className={watched ? undefined : styles.loading}>{t`${watchedCount} of ${downloaded} watched`}</span>
    </p>
  );
}

/** Menu with the less frequent actions, most of them for staff. */
function PlaylistActions({ playlist, downloaded }: { playlist: Playlist; downloaded: number }) {
  const { t } = useLingui();
  const showToast = useToast();
  const isStaff = useIsStaff();
  const [dialog, setDialog] = useState<'mark' | 'rules' | 'delete' | SharingDialog>();
  const list = { type: 'playlist', id: playlist.playlist_id } as const;
  const close = () => setDialog(undefined);
  const { playlist_id: id, playlist_sort_order: order, playlist_type: type } = playlist;
  const { playlist_can_edit: canEdit, playlist_owner: owner, playlist_is_shared: isShared } = playlist;
  // Playlists without an owner belong to everyone; only staff delete them.
  const canShare = canEdit && owner !== null;
  const onScheduled = () => showToast(t`Reindex scheduled`);
  const reindex = useReindex({ playlist: [id] }, { onScheduled });
  const refreshVideos = useReindex({ playlist: [id] }, { withVideos: true, onScheduled });
  const sort = useAction(
    (playlist_sort_order: 'top' | 'bottom') => call('POST /api/playlist/:id/', { params: { id }, body: { playlist_sort_order } }),
    { onSettled: () => queryClient.invalidateQueries({ queryKey: ['playlist'] }) },
  );
  const share = useAction(
    (is_shared: boolean) => call('POST /api/playlist/custom/:id/sharing/', { params: { id }, body: { is_shared } }),
    { onSettled: () => queryClient.invalidateQueries({ queryKey: ['playlist'] }) },
  );
  return (
    <>
      <Menu trigger={<Button icon={<IconDots aria-hidden />} aria-label={t`More`} title={t`More`} />}>
        <MenuItem icon={<IconChecks aria-hidden />} disabled={downloaded === 0} onSelect={() => setDialog('mark')}>
          <Trans>Mark all as…</Trans>
        </MenuItem>
        <ListItems list={list} onDialog={setDialog} />
        {isStaff && type !== 'custom' && (
          <>
            <MenuCheck isOn={order === 'top'} onChange={(isOn) => sort.mutate(isOn ? 'top' : 'bottom')}>
              <Trans>Insert new entries at the top</Trans>
            </MenuCheck>
            <MenuItem icon={<IconFilter aria-hidden />} onSelect={() => setDialog('rules')}>
              <Trans>Download rules…</Trans>
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon={<IconRefresh aria-hidden />} disabled={!reindex.isIdle} onSelect={() => reindex.mutate()}>
              {reindex.isSuccess ? <Trans>Reindex scheduled</Trans> : <Trans>Reindex</Trans>}
            </MenuItem>
            <MenuItem icon={<IconRefresh aria-hidden />} disabled={!refreshVideos.isIdle} onSelect={() => refreshVideos.mutate()}>
              <Trans>Refresh all videos’ metadata</Trans>
            </MenuItem>
          </>
        )}
        {canShare && (
          <MenuCheck isOn={isShared} onChange={(is_shared) => share.mutate(is_shared)}>
            <Trans>Share with all users</Trans>
          </MenuCheck>
        )}
        {(isStaff || canShare) && (
          <MenuItem icon={<IconTrash aria-hidden />} isDanger onSelect={() => setDialog('delete')}>
            <Trans>Delete playlist</Trans>
          </MenuItem>
        )}
      </Menu>
      {dialog === 'mark' && <MarkAllDialog of={{ playlist: id }} count={downloaded} onClose={close} />}
      {dialog === 'rules' && <RulesDialog id={id} name={playlist.playlist_name} onClose={close} />}
      {dialog === 'delete' && <DeletePlaylist playlist={playlist} onClose={close} />}
      {(dialog === 'podcast' || dialog === 'share') && (
        <ListDialog list={list} name={playlist.playlist_name} dialog={dialog} onClose={close} />
      )}
    </>
  );
}

interface Props {
  playlist: Playlist;
  isReordering: boolean;
  onReorder(isArranging: boolean): void;
}

/** Header of a playlist: name, channel, description and actions. */
export function PlaylistHead({ playlist, isReordering: isArranging, onReorder: onArrange }: Props) {
  const isStaff = useIsStaff();
  const { playlist_id: id, playlist_channel_id: channelId } = playlist;
  const isCustom = playlist.playlist_type === 'custom';
  const channel = useQuery({ ...channelQuery(channelId ?? ''), enabled: !isCustom && channelId !== null });
  const downloaded = playlist.playlist_entries.filter((entry) => entry.downloaded).length;
  // yt-dlp reports a missing description as "False".
  const description = playlist.playlist_description === 'False' ? null : playlist.playlist_description;
  return (
    <header className={styles.head}>
      <h1>
        <bdi>{playlist.playlist_name}</bdi>
      </h1>
      <PlaylistMeta playlist={playlist} />
      {(channel.data || channel.isLoading) && (
        <div className={styles.channel}>
          {channel.data ? <ChannelCard channel={channel.data} /> : <span className={styles.channelSkeleton} data-skeleton />}
        </div>
      )}
      {description && <RichText text={description} durationSeconds={0} onSeek={() => {}} foldAfter={3} />}
      <ActionRow isCompact>
        {downloaded > 0 && <PlayAll load={() => queryClient.fetchQuery(playlistVideos(id))} playlist={id} />}
        {isStaff && !isCustom && (
          <SubscribeButton
            topic="playlist"
            kind="plain"
            name={playlist.playlist_name}
            isSubscribed={playlist.playlist_subscribed}
            change={(subscription) =>
              call('POST /api/playlist/:id/', {
                params: { id },
                body:
                  typeof subscription === 'boolean'
                    ? { playlist_subscribed: subscription }
                    : {
                        playlist_subscribed: true,
                        playlist_auto_start: subscription.auto_start,
                        back_catalogue: subscription.back_catalogue,
                      },
              })
            }
          />
        )}
        {playlist.playlist_can_edit && (
          <Button icon={<IconListDetails aria-hidden />} aria-pressed={isArranging} onClick={() => onArrange(!isArranging)}>
            {isArranging ? <Trans>Done</Trans> : <Trans>Reorder</Trans>}
          </Button>
        )}
        <PlaylistActions playlist={playlist} downloaded={downloaded} />
      </ActionRow>
      {isStaff && playlist.playlist_subscribed && <NewEntries playlist={playlist} />}
    </header>
  );
}
