import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { sizeText } from '#web/format/numbers.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useConfirmation } from '#web/confirm/confirmation.tsx';
import { messageText } from '#web/i18n/message-text.ts';
import { useConfig } from '#web/api/account.ts';

interface Props {
  count: number;
  bytes: number;
  /** Id of the trash entry; without it the whole trash is emptied. */
  id?: number;
  /** Only an earlier file of a video that stays. */
  isFile?: boolean;
  onClose(): void;
}

/** Confirms a permanent deletion. */
export function PurgeDialog({ count, bytes, id, isFile = false, onClose }: Props) {
  const { t } = useLingui();
  const showToast = useToast();
  const size = sizeText(bytes, useConfig()?.file_size_unit);
  const confirmation = useConfirmation({ videos: count, bytes });
  const purge = useMutation({
    mutationFn: async () => {
      if (id === undefined) return (await call('DELETE /api/trash/', confirmation.sent)).deleted;
      const { done, refused } = await call('POST /api/trash/', { body: { action: 'delete', ids: [id] }, ...confirmation.sent });
      if (refused[0]) throw new Error(messageText(refused[0].messages, refused[0].error));
      return done;
    },
    onSuccess: (deleted) => {
      showToast(plural(deleted, { one: '# video permanently deleted.', other: '# videos permanently deleted.' }));
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['trash'] }),
  });
  return (
    <ConfirmDialog
      title={id === undefined ? t`Empty trash?` : isFile ? t`Delete this file permanently?` : t`Delete this video permanently?`}
      action={
        id === undefined ? (
          <Plural value={count} one="Delete # video permanently" other="Delete # videos permanently" />
        ) : (
          <Trans>Delete permanently</Trans>
        )
      }
      disabled={!confirmation.isReady}
      isBusy={purge.isPending}
      onConfirm={() => purge.mutate()}
      onClose={onClose}
    >
      <p>
        {isFile ? (
          <Trans>The earlier file ({size}) is deleted. The video stays with its present file.</Trans>
        ) : (
          <>
            <Plural
              value={count}
              one={`# video (${size}) is deleted with its files and all users’ watch history.`}
              other={`# videos (${size}) are deleted with their files and all users’ watch history.`}
            />{' '}
            <Trans>Videos no longer online can’t be downloaded again.</Trans>
          </>
        )}
      </p>
      {confirmation.field(() => purge.mutate())}
      {purge.isError && <Callout kind="danger">{purge.error.message}</Callout>}
    </ConfirmDialog>
  );
}
