import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Channel } from '#contract/channel.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { useSayListDeleted } from '#web/bin/say-list-deleted.ts';
import { WhatFollows } from '#web/bin/WhatFollows.tsx';
import { sizeText } from '#web/format/numbers.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Note } from '#web/ui/Note.tsx';
import { useConfirmation } from '#web/user/confirmation.tsx';
import { useConfig } from '#web/user/queries.ts';
import { channelSums } from './queries.ts';

function Question({ channel, onClose }: { channel: Channel; onClose(): void }) {
  const { t } = useLingui();
  const sayGone = useSayListDeleted();
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
    onSuccess: async () => {
      sayGone(name, count);
      await navigate('/channel/', { replace: true });
      queryClient.removeQueries({ queryKey: ['channel', 'one', id] });
      void queryClient.invalidateQueries();
    },
  });
  return (
    <Dialog title={t`Delete this channel?`} onClose={onClose}>
      {data && (
        <p>
          <Plural
            value={count}
            one={`# video with its files (${size}) and the playlists of the channel are removed from the archive.`}
            other={`# videos with their files (${size}) and the playlists of the channel are removed from the archive.`}
          />
        </p>
      )}
      {count > 0 && <WhatFollows />}
      {confirmation.field(() => remove.mutate())}
      {remove.isError && <Note kind="danger">{remove.error.message}</Note>}
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Keep it</Trans>
        </Button>
        <Button kind="danger" disabled={!data || !confirmation.isReady} isBusy={remove.isPending} onClick={() => remove.mutate()}>
          <Plural value={count} one="Delete the channel and # video" other="Delete the channel and # videos" />
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Deletes a channel with everything of it, after a question that says how much that is. */
export function DeleteChannel({ channel }: { channel: Channel }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button kind="danger" icon={<IconTrash aria-hidden />} onClick={() => setIsOpen(true)}>
        <Trans>Delete channel</Trans>
      </Button>
      {isOpen && <Question channel={channel} onClose={() => setIsOpen(false)} />}
    </>
  );
}
