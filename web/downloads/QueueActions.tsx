import { Trans, useLingui } from '@lingui/react/macro';
import { IconBolt, IconEyeOff, IconPlus, IconSortDescending, IconTrash } from '@tabler/icons-react';
import { Button } from '#web/ui/Button.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useChangeItem, useForget, type QueueItem } from './queries.ts';

/** What can be done with one item: other things in the queue than on the ignore list. */
export function QueueActions({ item }: { item: QueueItem }) {
  const { t } = useLingui();
  const forget = useForget();
  const say = useToast();
  const id = item.youtube_id;
  const undo = useChangeItem();
  const change = useChangeItem(({ status }) => {
    if (status !== 'ignore') return;
    const action = { label: t`Undo`, run: () => undo.mutate({ id, status: 'pending' }) };
    say(t`Ignored: it is not added again by itself.`, { action });
  });
  const to = (status: 'pending' | 'ignore' | 'priority' | 'later') => change.mutate({ id, status });
  const drop = (
    <Button size="s" kind="quiet" icon={<IconTrash aria-hidden />} onClick={() => forget.mutate(id)}>
      {item.status === 'pending' && item.message !== undefined ? t`Delete` : t`Forget`}
    </Button>
  );
  if (item.status === 'ignore')
    return (
      <>
        <Button size="s" icon={<IconPlus aria-hidden />} onClick={() => to('pending')}>
          <Trans>Add to queue</Trans>
        </Button>
        {drop}
      </>
    );
  return (
    <>
      {!item.running &&
        (item.auto_start && item.message === undefined ? (
          <Button size="s" icon={<IconSortDescending aria-hidden />} onClick={() => to('later')}>
            <Trans>Back in line</Trans>
          </Button>
        ) : (
          <Button size="s" icon={<IconBolt aria-hidden />} onClick={() => to('priority')}>
            <Trans>Download now</Trans>
          </Button>
        ))}
      <Button size="s" kind="quiet" icon={<IconEyeOff aria-hidden />} onClick={() => to('ignore')}>
        <Trans>Ignore</Trans>
      </Button>
      {drop}
    </>
  );
}
