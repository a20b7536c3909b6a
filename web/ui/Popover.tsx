import { Popover as Base } from '@base-ui/react/popover';
import type { ReactNode, RefObject } from 'react';
import styles from './Popover.module.css';

interface Props {
  anchor: RefObject<HTMLElement | null>;
  title: string;
  onClose(): void;
  children: ReactNode;
}

/** A popover that is open when mounted (LazyPopup.tsx). Escape and outside clicks close it. */
export function OpenPopover({ anchor, title, onClose, children }: Props) {
  return (
    <Base.Root
      defaultOpen
      onOpenChange={(isOpen, details) => {
        // The click on its button closes it.
        if (details.reason === 'outside-press' && anchor.current?.contains(details.event.target as Node)) details.cancel();
        else if (!isOpen) onClose();
      }}
    >
      <Base.Portal>
        <Base.Positioner className={styles.place} anchor={anchor} sideOffset={6} align="end" collisionPadding={8}>
          <Base.Popup className={styles.popover} finalFocus={anchor}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
