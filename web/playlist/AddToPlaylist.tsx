import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Note } from '#web/ui/Note.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { askForPlaylistsAgain, customPlaylists, holds, putIntoPlaylist } from './queries.ts';
import styles from './AddToPlaylist.module.css';

/** Puts videos into playlists of one's own, or takes them out. */
export function AddToPlaylist({ videos, onClose }: { videos: Video[]; onClose(): void }) {
  const { t } = useLingui();
  const say = useToast();
  const query = useQuery(customPlaylists);
  const [name, setName] = useState('');
  // What was made, and could not be filled: the next try goes on with it.
  const [made, setMade] = useState<{ id: string; name: string }>();
  const onSettled = askForPlaylistsAgain;
  // One after the other: each is added at the end, in the order in which they were chosen.
  const put = async (id: string, isIn: boolean) => {
    for (const video of videos) await putIntoPlaylist(id, video, isIn);
  };
  const change = useMutation({
    mutationFn: ({ id, isIn }: { id: string; isIn: boolean }) => put(id, isIn),
    onSettled,
  });
  const make = useMutation({
    mutationFn: async () => {
      const wanted = name.trim();
      let id = made?.name === wanted ? made.id : undefined;
      if (!id) {
        id = (await call('POST /api/playlist/custom/', { body: { playlist_name: wanted } })).playlist_id;
        setMade({ id, name: wanted });
      }
      await put(id, true);
    },
    onSuccess: () => {
      const listed = name.trim();
      say(plural(videos.length, { one: `Added to “${listed}”.`, other: `# videos added to “${listed}”.` }));
      onClose();
    },
    onSettled,
  });
  // Beside what was pressed, and for as long as it is so.
  const failed = change.error ?? make.error;
  return (
    <Dialog title={t`Add to a playlist`} onClose={onClose}>
      <Loaded query={query} skeleton={<Skeleton height={120} />}>
        {(playlists) => (
          <ul className={styles.list}>
            {playlists.map((playlist) => {
              const isIn = videos.every((video) => holds(playlist, video));
              return (
                <li key={playlist.playlist_id}>
                  <label className={styles.one}>
                    <input
                      type="checkbox"
                      checked={isIn}
                      disabled={change.isPending}
                      onChange={() => change.mutate({ id: playlist.playlist_id, isIn: !isIn })}
                    />
                    <bdi>{playlist.playlist_name}</bdi>
                    <span className="number">{playlist.playlist_entries.length}</span>
                  </label>
                </li>
              );
            })}
          </ul>
        )}
      </Loaded>
      <form
        className={styles.make}
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim()) make.mutate();
        }}
      >
        <Field label={t`New playlist`} value={name} maxLength={500} onChange={(event) => setName(event.target.value)} />
        <Button type="submit" icon={<IconPlus aria-hidden />} disabled={!name.trim()} isBusy={make.isPending}>
          {t`Create playlist`}
        </Button>
      </form>
      {failed && <Note kind="danger">{failed.message}</Note>}
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}
