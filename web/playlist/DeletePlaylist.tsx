import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Playlist } from '#contract/playlist.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { useSayListDeleted } from '#web/bin/say-list-deleted.ts';
import { WhatFollows } from '#web/bin/WhatFollows.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Note } from '#web/ui/Note.tsx';
import { sizeText } from '#web/format/numbers.ts';
import { useConfirmation } from '#web/user/confirmation.tsx';
import { useConfig } from '#web/user/queries.ts';
import { bytesOf } from '#web/video/bytes.ts';
import { playlistVideos } from './queries.ts';

function Question({ playlist, onClose }: { playlist: Playlist; onClose(): void }) {
  const { t } = useLingui();
  const sayGone = useSayListDeleted();
  const navigate = useNavigate();
  const unit = useConfig()?.file_size_unit;
  const { playlist_id: id, playlist_name: name } = playlist;
  const { data } = useQuery(playlistVideos(id));
  const bytes = bytesOf(data ?? []);
  const size = sizeText(bytes, unit);
  const confirmation = useConfirmation({ videos: data?.length ?? 0, bytes });
  const remove = useMutation({
    mutationFn: (withVideos: boolean) =>
      call('DELETE /api/playlist/:id/', {
        params: { id },
        query: { delete_videos: withVideos },
        ...(withVideos && confirmation.sent),
      }),
    onSuccess: async (_, withVideos) => {
      sayGone(name, withVideos ? (data?.length ?? 0) : 0);
      await navigate('/playlist/', { replace: true });
      queryClient.removeQueries({ queryKey: ['playlist', 'one', id] });
      void queryClient.invalidateQueries();
    },
  });
  return (
    <Dialog title={t`Delete this playlist?`} onClose={onClose}>
      <p>
        <Trans>Delete metadata takes away the list alone: its videos stay in the archive.</Trans>{' '}
        {data && (
          <Plural
            value={data.length}
            one={`Delete all removes # video with its files too (${size}).`}
            other={`Delete all removes # videos with their files too (${size}).`}
          />
        )}
      </p>
      {data && data.length > 0 && <WhatFollows />}
      {confirmation.field(() => remove.mutate(true))}
      {remove.isError && <Note kind="danger">{remove.error.message}</Note>}
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button isBusy={remove.isPending} onClick={() => remove.mutate(false)}>
          <Trans>Delete metadata</Trans>
        </Button>
        <Button
          kind="danger"
          disabled={!data || !confirmation.isReady}
          isBusy={remove.isPending}
          onClick={() => remove.mutate(true)}
        >
          <Trans>Delete all</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Deletes a playlist, alone or with its videos. */
export function DeletePlaylist({ playlist }: { playlist: Playlist }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button kind="danger" icon={<IconTrash aria-hidden />} onClick={() => setIsOpen(true)}>
        <Trans>Delete playlist</Trans>
      </Button>
      {isOpen && <Question playlist={playlist} onClose={() => setIsOpen(false)} />}
    </>
  );
}
