import { useLingui } from '@lingui/react/macro';
import type { Channel } from '#contract/channel.ts';
import type { Playlist } from '#contract/playlist.ts';
import { PlaylistCard } from '#web/playlist/grid/PlaylistGrid.tsx';
import { ChannelCard } from '#web/subscription/ChannelCard.tsx';
import { Group } from './ResultParts.tsx';
import styles from './SearchPage.module.css';

interface GroupOptions {
  hasMore: boolean;
  onAll?: (() => void) | undefined;
}

export function ChannelGroup({ channels, ...options }: GroupOptions & { channels: Channel[] }) {
  const { t } = useLingui();
  return (
    <Group name={t`Channels`} count={channels.length} {...options}>
      <ul className={styles.sources}>
        {channels.map((channel) => (
          <li key={channel.channel_id}>
            <ChannelCard channel={channel} />
          </li>
        ))}
      </ul>
    </Group>
  );
}

export function PlaylistGroup({ playlists, ...options }: GroupOptions & { playlists: Playlist[] }) {
  const { t } = useLingui();
  return (
    <Group name={t`Playlists`} count={playlists.length} {...options}>
      <ul className={styles.sources}>
        {playlists.map((playlist) => (
          <li key={playlist.playlist_id}>
            <PlaylistCard playlist={playlist} shape="row" />
          </li>
        ))}
      </ul>
    </Group>
  );
}
