import { Plural, useLingui } from '@lingui/react/macro';
import { IconChecks } from '@tabler/icons-react';
import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Note } from '#web/ui/Note.tsx';
import { useForAll } from '#web/video/matching.ts';

/** Marks everything of a channel or playlist, and asks which way; it can be taken back for a while. */
export function MarkAll({ of, count }: { of: { channel: string } | { playlist: string }; count: number }) {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  const mark = useForAll(close);
  const asked = { filter: of, videos: count };
  return (
    <>
      <Button icon={<IconChecks aria-hidden />} onClick={() => setIsOpen(true)} disabled={count === 0}>
        {t`Mark all`}
      </Button>
      {isOpen && (
        <Dialog title={t`Mark all as watched or not`} onClose={close}>
          <p>
            <Plural
              value={count}
              one="It is # video. Where you had stopped in it is forgotten."
              other="These are # videos. Where you had stopped in them is forgotten."
            />
          </p>
          {mark.isError && <Note kind="danger">{mark.error.message}</Note>}
          <DialogActions>
            <Button isBusy={mark.isPending} onClick={() => mark.mutate({ what: 'unwatched', ...asked })}>
              {t`Mark all as unwatched`}
            </Button>
            <Button kind="primary" isBusy={mark.isPending} onClick={() => mark.mutate({ what: 'watched', ...asked })}>
              {t`Mark all as watched`}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}
