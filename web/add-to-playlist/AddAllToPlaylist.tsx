import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Form } from '#web/ui/Form.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Field, Select } from '#web/ui/Field.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import type { VideoFilter } from '#web/api/queries/video.ts';
import { customPlaylists } from '#web/api/queries/playlist.ts';

interface Props {
  filter: VideoFilter;
  total: number;
  onClose(): void;
  onDone(): void;
}

/** Adds all videos that match a filter to a custom playlist, in the order of the list. */
export function AddAllToPlaylist({ filter, total, onClose, onDone }: Props) {
  const { t } = useLingui();
  const showToast = useToast();
  const playlists = useQuery(customPlaylists);
  const [chosen, setChosen] = useState('');
  const [name, setName] = useState('');
  const add = useMutation({
    mutationFn: async () => {
      let id = chosen;
      if (!id) {
        id = (await call('POST /api/playlist/custom/', { body: { playlist_name: name.trim() } })).playlist_id;
        // If adding fails, the next attempt uses the playlist that was created.
        setChosen(id);
      }
      return call('POST /api/video/bulk/playlist/', { query: filter, body: { playlist_id: id } });
    },
    onSuccess: ({ videos }) => {
      const listed = playlists.data?.find((one) => one.playlist_id === chosen)?.playlist_name ?? name.trim();
      showToast(plural(videos, { one: `# video added to “${listed}”.`, other: `# videos added to “${listed}”.` }));
      onDone();
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['playlist'] }),
  });
  return (
    <Dialog title={t`Add all matching videos to a playlist`} onClose={onClose}>
      <p>
        {plural(total, {
          one: '# video matches. If it is already in the playlist, it keeps its position.',
          other: '# videos match. Those already in the playlist keep their position.',
        })}
      </p>
      <Form onSubmit={() => add.mutate()}>
        <QueryBoundary query={playlists} skeleton={66}>
          {(all) => (
            <Select
              label={t`Playlist`}
              choices={[
                { value: '', label: t`New playlist` },
                ...all.map((one) => ({ value: one.playlist_id, label: one.playlist_name })),
              ]}
              value={chosen}
              onChange={(event) => setChosen(event.target.value)}
            />
          )}
        </QueryBoundary>
        {chosen === '' && (
          <Field label={t`New playlist`} value={name} maxLength={500} onChange={(event) => setName(event.target.value)} />
        )}
        {add.isError && <Callout kind="danger">{add.error.message}</Callout>}
        <DialogActions onCancel={onClose}>
          <Button
            type="submit"
            kind="primary"
            icon={<IconPlus aria-hidden />}
            disabled={chosen === '' && !name.trim()}
            isBusy={add.isPending}
          >{t`Add all`}</Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
