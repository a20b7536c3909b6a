import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions, focusOnOpen } from '#web/ui/Dialog.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useOpenArchived } from '#web/video/actions/open-archived.ts';
import styles from './AddLinksDialog.module.css';

/** Asks whether to queue or download pasted, dropped or shared links. */
export function AddLinksDialog({ links, onClose }: { links: string[]; onClose(): void }) {
  const { t } = useLingui();
  const showToast = useToast();
  const openArchived = useOpenArchived();
  const [isReady, setIsReady] = useState(links.length > 1);
  const onOpened = useEffectEvent(onClose);
  // The link of an archived video opens it.
  useEffect(() => {
    let isUnmounted = false;
    void openArchived(links).then((isOpen) => {
      if (isUnmounted) return;
      if (isOpen) onOpened();
      else setIsReady(true);
    });
    return () => {
      isUnmounted = true;
    };
  }, [links, openArchived]);
  const add = useMutation({
    mutationFn: (autostart: boolean) =>
      call('POST /api/download/', {
        query: { autostart },
        body: { data: links.map((link) => ({ youtube_id: link, status: 'pending' as const })) },
      }),
    onSuccess: () => {
      showToast(plural(links.length, { one: 'Looking up the link…', other: 'Looking up the links…' }));
      void queryClient.invalidateQueries({ queryKey: ['download'] });
      onClose();
    },
  });
  if (!isReady) return null;
  return (
    <Dialog title={t`Add to the queue?`} onClose={onClose}>
      <ul className={styles.links}>
        {links.map((link) => (
          <li key={link}>{link}</li>
        ))}
      </ul>
      {add.isError && <Callout kind="danger">{add.error.message}</Callout>}
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button isBusy={add.isPending} onClick={() => add.mutate(false)}>
          <Trans>Add to the queue</Trans>
        </Button>
        <Button ref={focusOnOpen} kind="primary" isBusy={add.isPending} onClick={() => add.mutate(true)}>
          <Plural value={links.length} one="Download now" other="Download # now" />
        </Button>
      </DialogActions>
    </Dialog>
  );
}
