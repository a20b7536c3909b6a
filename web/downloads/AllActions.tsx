import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { exactText } from '#web/format/numbers.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useChangeAll, useForgetAll, type Some } from './queries.ts';
import styles from './AllActions.module.css';

type What = 'pending' | 'ignore' | 'priority' | 'clear_error' | 'forget';

interface Props {
  /** What the list shows now: that is what "all" means. */
  some: Some;
  total: number;
}

/** What can be done with everything in the list at once; how many that are is said first. */
export function AllActions({ some, total }: Props) {
  const { t } = useLingui();
  const say = useToast();
  const change = useChangeAll();
  const forget = useForgetAll();
  const [asked, setAsked] = useState<What>();
  const many = exactText(total);
  const words: Record<What, { name: string; title: string; text: string }> = {
    priority: {
      name: t`Download now`,
      title: t`Download these ${many} now?`,
      text: t`They go before everything else, and what failed among them is tried again.`,
    },
    clear_error: {
      name: t`Clear errors`,
      title: t`Clear the errors of these ${many}?`,
      text: t`They wait in the queue again as if they had never failed.`,
    },
    ignore: {
      name: t`Ignore`,
      title: t`Ignore these ${many}?`,
      text: t`They leave the queue, and are not added again by themselves.`,
    },
    pending: { name: t`Add to queue`, title: t`Add these ${many} to the queue?`, text: t`They are downloaded with the rest.` },
    forget: {
      name: t`Forget`,
      title: t`Forget these ${many}?`,
      text: t`They leave the list; nothing that is archived is touched. When their channel or playlist is added again, they come back.`,
    },
  };
  const offered: What[] =
    some.filter === 'pending'
      ? ['priority', ...(some.error === true ? (['clear_error'] as const) : []), 'ignore', 'forget']
      : ['pending', 'forget'];
  const go = (what: What) => {
    setAsked(undefined);
    if (what === 'forget') return forget.mutate(some);
    change.mutate(
      { some, status: what },
      {
        onSuccess: () => {
          // Only this can be taken back without touching what was so before.
          if (what === 'priority')
            say(t`${many} go before the others now.`, {
              action: { label: t`Undo`, run: () => change.mutate({ some, status: 'later' }) },
            });
        },
      },
    );
  };
  return (
    <div className={styles.bar} role="group" aria-label={t`All of these`}>
      <span>
        <Plural value={total} one="This one:" other="All # of these:" />
      </span>
      {offered.map((what) => (
        <Button key={what} size="s" kind={what === 'forget' ? 'danger' : 'plain'} onClick={() => setAsked(what)}>
          {words[what].name}
        </Button>
      ))}
      {asked && (
        <Dialog title={words[asked].title} onClose={() => setAsked(undefined)}>
          <p>{words[asked].text}</p>
          <DialogActions>
            <Button onClick={() => setAsked(undefined)}>
              <Trans>Cancel</Trans>
            </Button>
            <Button kind={asked === 'forget' ? 'danger' : 'primary'} onClick={() => go(asked)}>
              {t`${words[asked].name}: ${many}`}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </div>
  );
}
