import type { Playlist } from '#contract/playlist.ts';
import { formatIso } from '../../platform/lib/format-time.ts';
import type { PlaylistRow } from '../../archive/playlist/store.ts';
import type { Viewer } from '../../platform/db/schema/playlist-access.ts';

type PlaylistWithRawEntries = Omit<Playlist, 'playlist_entries'> & { playlist_entries: PlaylistRow['entries'] };

/** Whether the user may change a custom playlist. Those without an owner, such as restored ones, belong to everyone. */
export const canEditCustom = ({ ownerId }: Pick<PlaylistRow, 'ownerId'>, { id, isStaff }: Viewer) =>
  ownerId === null || ownerId === id || isStaff;

export const serializePlaylist = (row: PlaylistRow, viewer: Viewer): PlaylistWithRawEntries => ({
  playlist_id: row.id,
  playlist_name: row.name,
  playlist_type: row.kind,
  playlist_active: row.isActive === 1,
  playlist_subscribed: row.isSubscribed === 1,
  playlist_channel: row.channelName,
  playlist_channel_id: row.channelId,
  playlist_description: row.description,
  playlist_thumbnail: `/cache/playlists/${row.id}.jpg`,
  playlist_last_refresh: formatIso(row.refreshedAt),
  playlist_sort_order: row.sortOrder,
  playlist_auto_start: row.autoStart === null ? null : row.autoStart === 1,
  playlist_owner: row.ownerName,
  playlist_is_shared: row.isShared === 1,
  playlist_can_edit: row.kind === 'custom' && canEditCustom(row, viewer),
  playlist_entries: row.entries,
  _index: 'ta_playlist',
  _score: 0,
});
