import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Field, Select } from '#web/ui/Field.tsx';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Note } from '#web/ui/Note.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import type { VideoFilter } from '#web/video/queries.ts';
import { customPlaylists } from './queries.ts';

interface Props {
  filter: VideoFilter;
  total: number;
  onClose(): void;
  onDone(): void;
}

/** Puts everything that a list has into a playlist of one's own, in its order. */
export function AddAllToPlaylist({ filter, total, onClose, onDone }: Props) {
  const { t } = useLingui();
  const say = useToast();
  const playlists = useQuery(customPlaylists);
  const [chosen, setChosen] = useState('');
  const [name, setName] = useState('');
  const add = useMutation({
    mutationFn: async () => {
      let id = chosen;
      if (!id) {
        id = (await call('POST /api/playlist/custom/', { body: { playlist_name: name.trim() } })).playlist_id;
        // When it cannot be filled, the next try goes on with it.
        setChosen(id);
      }
      return call('POST /api/video/matching/playlist/', { query: filter, body: { playlist_id: id } });
    },
    onSuccess: ({ videos }) => {
      const listed = playlists.data?.find((one) => one.playlist_id === chosen)?.playlist_name ?? name.trim();
      say(plural(videos, { one: `# video added to “${listed}”.`, other: `# videos added to “${listed}”.` }));
      onDone();
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['playlist'] }),
  });
  return (
    <Dialog title={t`Add all that match to a playlist`} onClose={onClose}>
      <p>
        {plural(total, {
          one: '# video matches. If it is in the playlist already, it stays where it is.',
          other: '# videos match. Those that are in the playlist already stay where they are.',
        })}
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate();
        }}
      >
        <Loaded query={playlists} skeleton={<Skeleton height={66} />}>
          {(all) => (
            <Select
              label={t`Playlist`}
              choices={[
                { value: '', label: t`A new one` },
                ...all.map((one) => ({ value: one.playlist_id, label: one.playlist_name })),
              ]}
              value={chosen}
              onChange={(event) => setChosen(event.target.value)}
            />
          )}
        </Loaded>
        {chosen === '' && (
          <Field label={t`New playlist`} value={name} maxLength={500} onChange={(event) => setName(event.target.value)} />
        )}
        {add.isError && <Note kind="danger">{add.error.message}</Note>}
        <DialogActions>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button
            type="submit"
            kind="primary"
            icon={<IconPlus aria-hidden />}
            disabled={chosen === '' && !name.trim()}
            isBusy={add.isPending}
          >{t`Add all of them`}</Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
