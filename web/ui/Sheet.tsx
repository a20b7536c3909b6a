import { Drawer } from '@base-ui/react/drawer';
import { useLingui } from '@lingui/react/macro';
import { IconX } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { IconButton } from './Button.tsx';
import { ToastRegion } from './toasts.tsx';
import { useMediaQuery } from './use-media-query.ts';
import styles from './Sheet.module.css';

/** Whether panels open as sheets: on phones, in portrait or landscape. */
export const useHasSheets = () => useMediaQuery('(max-width: 719.98px), (max-height: 499.98px) and (pointer: coarse)');

interface Props {
  title: string;
  /** Called when the sheet has left the screen. */
  onClose(): void;
  children: ReactNode;
}

/** A panel at the lower edge of the screen, open while mounted. Escape, downward swipes and taps outside close it. */
export function Sheet({ title, onClose, children }: Props) {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(true);
  return (
    <Drawer.Root open={isOpen} onOpenChange={setIsOpen} onOpenChangeComplete={(isNowOpen) => !isNowOpen && onClose()}>
      <Drawer.VirtualKeyboardProvider>
        {/* A fullscreen player covers everything outside of it. */}
        <Drawer.Portal container={(document.fullscreenElement as HTMLElement | null) ?? undefined} data-interactive="">
          <Drawer.Backdrop className={styles.backdrop} />
          <Drawer.Viewport className={styles.viewport}>
            <Drawer.Popup className={styles.sheet} aria-label={title}>
              <div className={styles.head}>
                <h2 className={styles.title}>{title}</h2>
                <Drawer.Close render={<IconButton label={t`Close`} />}>
                  <IconX aria-hidden />
                </Drawer.Close>
              </div>
              <Drawer.Content className={styles.content}>{children}</Drawer.Content>
              <ToastRegion />
            </Drawer.Popup>
          </Drawer.Viewport>
        </Drawer.Portal>
      </Drawer.VirtualKeyboardProvider>
    </Drawer.Root>
  );
}
