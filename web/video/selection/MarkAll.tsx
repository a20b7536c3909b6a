import { Plural, useLingui } from '@lingui/react/macro';
import { IconChecks } from '@tabler/icons-react';
import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { useBulkAction } from '#web/video/selection/bulk-actions.ts';

type Target = { channel: string } | { playlist: string };

/** Asks whether to mark all videos of a channel or playlist as watched or unwatched; both can be undone. */
export function MarkAllDialog({ of, count, onClose }: { of: Target; count: number; onClose(): void }) {
  const { t } = useLingui();
  const mark = useBulkAction(onClose);
  const target = { filter: of, videos: count };
  return (
    <Dialog title={t`Mark all as…`} onClose={onClose}>
      <p>
        <Plural
          value={count}
          one="This affects # video and clears your saved position."
          other="This affects # videos and clears your saved positions."
        />
      </p>
      {mark.isError && <Callout kind="danger">{mark.error.message}</Callout>}
      <DialogActions>
        <Button kind="quiet" onClick={onClose}>{t`Cancel`}</Button>
        <Button isBusy={mark.isPending} onClick={() => mark.mutate({ action: 'unwatched', ...target })}>
          {t`Unwatched`}
        </Button>
        <Button kind="primary" isBusy={mark.isPending} onClick={() => mark.mutate({ action: 'watched', ...target })}>
          {t`Watched`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Button of the dialog. */
export function MarkAll({ of, count }: { of: Target; count: number }) {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button icon={<IconChecks aria-hidden />} onClick={() => setIsOpen(true)} disabled={count === 0}>
        {t`Mark all as…`}
      </Button>
      {isOpen && <MarkAllDialog of={of} count={count} onClose={() => setIsOpen(false)} />}
    </>
  );
}
