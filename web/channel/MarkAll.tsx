import { Plural, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { IconChecks } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '#web/api/call.ts';
import { askAgain } from '#web/api/client.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Note } from '#web/ui/Note.tsx';

/** Marks everything of a channel or playlist. It cannot be taken back for each as it was, so it asks. */
export function MarkAll({ id, count }: { id: string; count: number }) {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  const mark = useMutation({
    mutationFn: (isWatched: boolean) => call('POST /api/watched/', { body: { id, is_watched: isWatched } }),
    onSettled: () => askAgain('video', 'playlist'),
    onSuccess: () => setIsOpen(false),
  });
  return (
    <>
      <Button icon={<IconChecks aria-hidden />} onClick={() => setIsOpen(true)} disabled={count === 0}>
        {t`Mark all`}
      </Button>
      {isOpen && (
        <Dialog title={t`Mark all as watched or not`} onClose={() => setIsOpen(false)}>
          <p>
            <Plural
              value={count}
              one="It is # video. Where you had stopped in it is forgotten."
              other="These are # videos. Where you had stopped in them is forgotten."
            />
          </p>
          {mark.isError && <Note kind="danger">{mark.error.message}</Note>}
          <DialogActions>
            <Button isBusy={mark.isPending} onClick={() => mark.mutate(false)}>
              {t`Mark all as unwatched`}
            </Button>
            <Button kind="primary" isBusy={mark.isPending} onClick={() => mark.mutate(true)}>
              {t`Mark all as watched`}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}
