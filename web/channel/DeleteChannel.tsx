import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Channel } from '#contract/channel.ts';
import { call } from '#web/api/call.ts';
import { beingDeleted, queryClient } from '#web/api/client.ts';
import { useListDeletedToast } from '#web/trash/retention/list-deleted-toast.ts';
import { RetentionHint } from '#web/trash/retention/RetentionHint.tsx';
import { sizeText } from '#web/format/numbers.ts';
import { Button } from '#web/ui/Button.tsx';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { useConfirmation } from '#web/confirm/confirmation.tsx';
import { useConfig } from '#web/api/account.ts';
import { channelSums } from '#web/api/queries/channel.ts';

function DeleteChannelDialog({ channel, onClose }: { channel: Channel; onClose(): void }) {
  const { t } = useLingui();
  const showDeletedToast = useListDeletedToast();
  const navigate = useNavigate();
  const unit = useConfig()?.file_size_unit;
  const { channel_id: id, channel_name: name } = channel;
  const { data } = useQuery(channelSums(id));
  const bytes = data?.total_size.value ?? 0;
  const size = sizeText(bytes, unit);
  const count = data?.total_items.value ?? 0;
  const confirmation = useConfirmation({ videos: count, bytes });
  const remove = useMutation({
    mutationFn: () => call('DELETE /api/channel/:id/', { params: { id }, ...confirmation.sent }),
    onMutate: () => void beingDeleted.add(id),
    onSettled: () => void beingDeleted.delete(id),
    onSuccess: async () => {
      showDeletedToast(name, count);
      await navigate('/channel/', { replace: true, flushSync: true });
      queryClient.removeQueries({ queryKey: ['channel', 'one', id] });
      void queryClient.invalidateQueries();
    },
  });
  return (
    <ConfirmDialog
      title={t`Delete this channel?`}
      action={<Plural value={count} one="Delete channel and # video" other="Delete channel and # videos" />}
      disabled={!data || !confirmation.isReady}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {data && (
        <p>
          <Plural
            value={count}
            one={`Removes # video (${size}) and the channel’s playlists from the archive.`}
            other={`Removes # videos (${size}) and the channel’s playlists from the archive.`}
          />
        </p>
      )}
      {count > 0 && <RetentionHint />}
      {confirmation.field(() => remove.mutate())}
      {remove.isError && <Callout kind="danger">{remove.error.message}</Callout>}
    </ConfirmDialog>
  );
}

/** Deletes a channel after a dialog that names the number and size of its videos. */
export function DeleteChannel({ channel }: { channel: Channel }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button kind="danger" icon={<IconTrash aria-hidden />} onClick={() => setIsOpen(true)}>
        <Trans>Delete channel</Trans>
      </Button>
      {isOpen && <DeleteChannelDialog channel={channel} onClose={() => setIsOpen(false)} />}
    </>
  );
}
