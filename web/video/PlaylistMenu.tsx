import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconPlaylistAdd, IconPlus } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import type { Playlist } from '#contract/playlist.ts';
import type { Video } from '#contract/video.ts';
import { askForPlaylistsAgain, customPlaylists, holds, putIntoPlaylist } from '#web/playlist/queries.ts';
import { Button } from '#web/ui/Button.tsx';
import { Menu, MenuCheck, MenuItem, MenuLine } from '#web/ui/Menu.tsx';
import { useToast } from '#web/ui/toasts.tsx';

function OnePlaylist({ playlist, video }: { playlist: Playlist; video: Video }) {
  const { t } = useLingui();
  const say = useToast();
  const { playlist_id: id, playlist_name: name } = playlist;
  const put = useMutation({
    mutationFn: (isIn: boolean) => putIntoPlaylist(id, video, isIn),
    onError: (error) => say(error.message, { isDanger: true }),
    onSuccess: (_, isIn) => say(isIn ? t`Added to ${name}.` : t`Taken out of ${name}.`),
    onSettled: askForPlaylistsAgain,
  });
  return (
    <MenuCheck isOn={put.isPending ? put.variables : holds(playlist, video)} onChange={(isIn) => put.mutate(isIn)}>
      <bdi>{name}</bdi>
    </MenuCheck>
  );
}

/** In which of people's own playlists a video is; each to be chosen, and a way to a new one. */
export function PlaylistMenu({ video }: { video: Video }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { data = [] } = useQuery(customPlaylists);
  return (
    <Menu trigger={<Button icon={<IconPlaylistAdd aria-hidden />}>{t`Add to playlist`}</Button>}>
      {data.map((playlist) => (
        <OnePlaylist key={playlist.playlist_id} playlist={playlist} video={video} />
      ))}
      {data.length > 0 && <MenuLine />}
      <MenuItem icon={<IconPlus aria-hidden />} onSelect={() => void navigate('/playlist/')}>
        <Trans>Create playlist</Trans>
      </MenuItem>
    </Menu>
  );
}
