import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useMutation, useMutationState, useQuery } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { Form } from '#web/ui/Form.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { invalidatePlaylists, customPlaylists, playlistContains, setInPlaylist } from '#web/api/queries/playlist.ts';
import styles from './AddToPlaylist.module.css';

interface Props {
  videos: Video[];
  onCreated?(): void;
}

interface Change {
  id: string;
  name: string;
  isIn: boolean;
}
const mutationKey = ['playlist-membership'];

/** Custom playlists as checkboxes that add the videos or remove them, and a form for a new playlist with them. */
export function PlaylistChoices({ videos, onCreated }: Props) {
  const { t } = useLingui();
  const showToast = useToast();
  const query = useQuery(customPlaylists);
  const [name, setName] = useState('');
  // Playlist that was created but could not be filled; the next attempt uses it.
  const [created, setCreated] = useState<{ id: string; name: string }>();
  const onSettled = invalidatePlaylists;
  // Sequential, because each video is appended and the selected order must be kept.
  const setMembership = async (id: string, isIn: boolean) => {
    for (const video of videos) await setInPlaylist(id, video, isIn);
  };
  const change = useMutation({
    mutationKey,
    // One after the other: a click during a change follows it.
    scope: { id: 'playlist-membership' },
    mutationFn: ({ id, isIn }: Change) => setMembership(id, isIn),
    onSuccess: (_, { name: listed, isIn }) => showToast(isIn ? t`Added to ${listed}.` : t`Removed from ${listed}.`),
    onSettled,
  });
  const pending = useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => state.variables as Change,
  });
  const create = useMutation({
    mutationFn: async () => {
      const trimmed = name.trim();
      let id = created?.name === trimmed ? created.id : undefined;
      if (!id) {
        id = (await call('POST /api/playlist/custom/', { body: { playlist_name: trimmed } })).playlist_id;
        setCreated({ id, name: trimmed });
      }
      await setMembership(id, true);
    },
    onSuccess: () => {
      const listed = name.trim();
      showToast(plural(videos.length, { one: `Added to “${listed}”.`, other: `# videos added to “${listed}”.` }));
      setName('');
      onCreated?.();
    },
    onSettled,
  });
  // Shown here for as long as the error lasts, not as a toast.
  const failed = change.error ?? create.error;
  return (
    <>
      <QueryBoundary query={query} skeleton={120}>
        {(playlists) =>
          playlists.length > 0 && (
            <ul className={styles.list}>
              {playlists.map((playlist) => {
                const { playlist_id: id, playlist_name: listed } = playlist;
                const isIn =
                  pending.findLast((one) => one.id === id)?.isIn ?? videos.every((video) => playlistContains(playlist, video));
                return (
                  <li key={id}>
                    <label className={styles.item}>
                      <input type="checkbox" checked={isIn} onChange={() => change.mutate({ id, name: listed, isIn: !isIn })} />
                      <bdi>{listed}</bdi>
                      <span className="number">{playlist.playlist_entries.length}</span>
                    </label>
                  </li>
                );
              })}
            </ul>
          )
        }
      </QueryBoundary>
      <Form className={styles.create} onSubmit={() => name.trim() && create.mutate()}>
        <Field label={t`New playlist`} value={name} maxLength={500} onChange={(event) => setName(event.target.value)} />
        <Button type="submit" icon={<IconPlus aria-hidden />} disabled={!name.trim()} isBusy={create.isPending}>
          {t`Create playlist`}
        </Button>
      </Form>
      {failed && <Callout kind="danger">{failed.message}</Callout>}
    </>
  );
}
