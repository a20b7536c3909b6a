import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Dialog, DialogActions } from './Dialog.tsx';

interface Props {
  title: string;
  /** Text of the button that confirms. */
  action: ReactNode;
  /** `danger` for destructive actions. */
  kind?: 'danger' | 'primary';
  isBusy?: boolean;
  disabled?: boolean;
  onConfirm(): void;
  onClose(): void;
  children: ReactNode;
}

/** Dialog with Cancel and the button that confirms an action. The caller closes it. */
export const ConfirmDialog = ({ title, action, kind = 'danger', isBusy, disabled, onConfirm, onClose, children }: Props) => (
  <Dialog title={title} onClose={onClose}>
    {children}
    <DialogActions onCancel={onClose}>
      <Button kind={kind} disabled={disabled} isBusy={isBusy} onClick={onConfirm}>
        {action}
      </Button>
    </DialogActions>
  </Dialog>
);
