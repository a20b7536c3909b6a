import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { sizeText } from '#web/format/numbers.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Note } from '#web/ui/Note.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useConfirmation } from '#web/user/confirmation.tsx';
import { useConfig } from '#web/user/queries.ts';

interface Props {
  count: number;
  bytes: number;
  /** The deletion that is meant; without it all of the bin is. */
  id?: number;
  onClose(): void;
}

/** Asks before something goes that cannot be had again: how many, and how much. */
export function GoForGood({ count, bytes, id, onClose }: Props) {
  const { t } = useLingui();
  const say = useToast();
  const size = sizeText(bytes, useConfig()?.file_size_unit);
  const confirmation = useConfirmation({ videos: count, bytes });
  const go = useMutation({
    mutationFn: async () => {
      if (id === undefined) return (await call('DELETE /api/bin/', confirmation.sent)).deleted;
      const { done, refused } = await call('POST /api/bin/', { body: { action: 'delete', ids: [id] }, ...confirmation.sent });
      if (refused[0]) throw new Error(refused[0].error);
      return done;
    },
    onSuccess: (gone) => {
      say(plural(gone, { one: '# video is deleted for good.', other: '# videos are deleted for good.' }));
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['bin'] }),
  });
  return (
    <Dialog title={id === undefined ? t`Empty the bin?` : t`Delete this video for good?`} onClose={onClose}>
      <p>
        <Plural
          value={count}
          one={`# video (${size}) goes with its files, and with what everybody has watched of it.`}
          other={`# videos (${size}) go with their files, and with what everybody has watched of them.`}
        />{' '}
        <Trans>What is gone from its site too cannot be had again.</Trans>
      </p>
      {confirmation.field(() => go.mutate())}
      {go.isError && <Note kind="danger">{go.error.message}</Note>}
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Keep</Trans>
        </Button>
        <Button kind="danger" disabled={!confirmation.isReady} isBusy={go.isPending} onClick={() => go.mutate()}>
          {id === undefined ? (
            <Plural value={count} one="Delete # video for good" other="Delete # videos for good" />
          ) : (
            <Trans>Delete for good</Trans>
          )}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
