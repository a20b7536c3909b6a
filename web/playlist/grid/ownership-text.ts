import { t } from '@lingui/core/macro';
import type { Playlist } from '#contract/playlist.ts';

/** Who sees a custom playlist; null for playlists of sites. */
export function ownershipText(playlist: Playlist): string | null {
  const { playlist_type: type, playlist_owner: owner, playlist_is_shared: isShared } = playlist;
  if (type !== 'custom') return null;
  if (owner === null) return isShared ? t`Shared with all users` : t`Private, without an owner`;
  return isShared ? t`Shared by ${owner}` : t`Private, by ${owner}`;
}
