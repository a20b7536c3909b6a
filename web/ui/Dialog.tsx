import { Trans } from '@lingui/react/macro';
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { Button } from './Button.tsx';
import { ToastRegion } from './toasts.tsx';
import styles from './Dialog.module.css';

interface Props {
  title: string;
  onClose(): void;
  /** Neither Escape nor outside clicks close the dialog. */
  isModalOnly?: boolean;
  /** For content with several columns. */
  isWide?: boolean;
  children: ReactNode;
}

/** A modal dialog. The native element traps the focus and closes on Escape. */
export function Dialog({ title, onClose, isModalOnly = false, isWide = false, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Close before unmounting: only then the browser restores the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`${styles.dialog} ${isWide ? styles.wide : ''}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (!isModalOnly) onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current && !isModalOnly) onClose();
      }}
    >
      <div className={styles.body}>
        <h2 id={titleId}>{title}</h2>
        {children}
      </div>
      <ToastRegion />
    </dialog>
  );
}

/**
 * Ref of the element that gets the focus when its dialog opens, instead of the first one. React’s `autoFocus` comes too early:
 * the dialog is still closed.
 */
export const focusOnOpen = (element: HTMLElement | null) => element?.setAttribute('autofocus', '');

/** Buttons of a dialog. `onCancel`: shows Cancel before them. */
export const DialogActions = ({ onCancel, children }: { onCancel?(): void; children: ReactNode }) => (
  <div className={styles.actions}>
    {onCancel && (
      <Button onClick={onCancel}>
        <Trans>Cancel</Trans>
      </Button>
    )}
    {children}
  </div>
);

/** The only button of a dialog whose changes are already saved. */
export const DoneButton = ({ onClick }: { onClick(): void }) => (
  <DialogActions>
    <Button kind="primary" onClick={onClick}>
      <Trans>Done</Trans>
    </Button>
  </DialogActions>
);
