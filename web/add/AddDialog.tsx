import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { AddBox } from './AddBox.tsx';

/** The box as a dialog: for links that were pasted, dropped, shared or typed elsewhere, and for the button of the top bar. */
export function AddDialog({ text, onClose }: { text: string; onClose(): void }) {
  const { t } = useLingui();
  return (
    <Dialog title={t`Add to your archive`} onClose={onClose} isWide>
      <AddBox given={text} onDone={onClose}>
        <Button onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
      </AddBox>
    </Dialog>
  );
}
