import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { Notices } from './toasts.tsx';
import styles from './Dialog.module.css';

interface Props {
  title: string;
  onClose(): void;
  /** Nothing but an answer closes it. */
  isFirm?: boolean;
  children: ReactNode;
}

/** A question over the page; the browser's own dialog keeps the focus in it and closes it on Escape. */
export function Dialog({ title, onClose, isFirm = false, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Before it goes from the page: only then the browser gives the focus back to where it was.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (!isFirm) onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current && !isFirm) onClose();
      }}
    >
      <div className={styles.body}>
        <h2 id={titleId}>{title}</h2>
        {children}
      </div>
      <Notices />
    </dialog>
  );
}

/** The buttons at the end of a dialog. */
export const DialogActions = ({ children }: { children: ReactNode }) => <div className={styles.actions}>{children}</div>;
