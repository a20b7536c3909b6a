import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Playlist } from '#contract/playlist.ts';
import { call } from '#web/api/call.ts';
import { beingDeleted, queryClient } from '#web/api/client.ts';
import { useListDeletedToast } from '#web/trash/retention/list-deleted-toast.ts';
import { RetentionHint } from '#web/trash/retention/RetentionHint.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { sizeText } from '#web/format/numbers.ts';
import { useConfirmation } from '#web/confirm/confirmation.tsx';
import { useConfig, useIsStaff } from '#web/api/account.ts';
import { totalBytes } from '#web/format/bytes.ts';
import { playlistVideos } from '#web/api/queries/playlist.ts';

/** Asks whether to delete a playlist with or without its videos. */
export function DeletePlaylist({ playlist, onClose }: { playlist: Playlist; onClose(): void }) {
  const { t } = useLingui();
  const showDeletedToast = useListDeletedToast();
  const navigate = useNavigate();
  const isStaff = useIsStaff();
  const unit = useConfig()?.file_size_unit;
  const { playlist_id: id, playlist_name: name } = playlist;
  const { data } = useQuery(playlistVideos(id));
  const bytes = totalBytes(data ?? []);
  const size = sizeText(bytes, unit);
  const confirmation = useConfirmation({ videos: data?.length ?? 0, bytes });
  const remove = useMutation({
    mutationFn: (withVideos: boolean) =>
      call('DELETE /api/playlist/:id/', {
        params: { id },
        query: { delete_videos: withVideos },
        ...(withVideos && confirmation.sent),
      }),
    onMutate: () => void beingDeleted.add(id),
    onSettled: () => void beingDeleted.delete(id),
    onSuccess: async (_, withVideos) => {
      showDeletedToast(name, withVideos ? (data?.length ?? 0) : 0);
      await navigate('/playlist/', { replace: true, flushSync: true });
      queryClient.removeQueries({ queryKey: ['playlist', 'one', id] });
      void queryClient.invalidateQueries();
    },
  });
  return (
    <Dialog title={t`Delete this playlist?`} onClose={onClose}>
      <p>
        <Trans>“Delete metadata” removes the playlist only. Its videos stay.</Trans>{' '}
        {isStaff && data && (
          <Plural
            value={data.length}
            one={`“Delete all” also removes # video (${size}).`}
            other={`“Delete all” also removes # videos (${size}).`}
          />
        )}
      </p>
      {isStaff && data && data.length > 0 && <RetentionHint />}
      {confirmation.field(() => remove.mutate(true))}
      {remove.isError && <Callout kind="danger">{remove.error.message}</Callout>}
      <DialogActions onCancel={onClose}>
        <Button isBusy={remove.isPending} onClick={() => remove.mutate(false)}>
          <Trans>Delete metadata</Trans>
        </Button>
        {isStaff && (
          <Button
            kind="danger"
            disabled={!data || !confirmation.isReady}
            isBusy={remove.isPending}
            onClick={() => remove.mutate(true)}
          >
            <Trans>Delete all</Trans>
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
