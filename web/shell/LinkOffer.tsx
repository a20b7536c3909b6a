import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Note } from '#web/ui/Note.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import styles from './LinkOffer.module.css';

/** Asks what is to become of links that were pasted, dropped or shared. */
export function LinkOffer({ links, onClose }: { links: string[]; onClose(): void }) {
  const { t } = useLingui();
  const say = useToast();
  const add = useMutation({
    mutationFn: (autostart: boolean) =>
      call('POST /api/download/', {
        query: { autostart },
        body: { data: links.map((link) => ({ youtube_id: link, status: 'pending' as const })) },
      }),
    onSuccess: () => {
      say(plural(links.length, { one: 'Looking it up.', other: 'Looking them up.' }));
      void queryClient.invalidateQueries({ queryKey: ['download'] });
      onClose();
    },
  });
  return (
    <Dialog title={t`Add to the queue?`} onClose={onClose}>
      <ul className={styles.links}>
        {links.map((link) => (
          <li key={link}>{link}</li>
        ))}
      </ul>
      {add.isError && <Note kind="danger">{add.error.message}</Note>}
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button isBusy={add.isPending} onClick={() => add.mutate(false)}>
          <Trans>Add to the queue</Trans>
        </Button>
        <Button kind="primary" isBusy={add.isPending} onClick={() => add.mutate(true)}>
          <Plural value={links.length} one="Download now" other="Download # now" />
        </Button>
      </DialogActions>
    </Dialog>
  );
}
