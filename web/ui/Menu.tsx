import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode, RefObject } from 'react';
import styles from './Menu.module.css';

/** What a button offers: opens below it, by keyboard as well, and closes when something is chosen. */
export function Menu({ trigger, children }: { trigger: ReactElement<Record<string, unknown>>; children: ReactNode }) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={styles.place} sideOffset={6} align="end" collisionPadding={8}>
          <Base.Popup className={styles.menu}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** A menu that is open as soon as it is there, below what opened it; for menus that are fetched when they are wanted. */
export function OpenMenu({
  anchor,
  onClose,
  children,
}: {
  anchor: RefObject<HTMLElement | null>;
  onClose(): void;
  children: ReactNode;
}) {
  return (
    <Base.Root defaultOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Positioner className={styles.place} anchor={anchor} sideOffset={6} align="end" collisionPadding={8}>
          <Base.Popup
            className={styles.menu}
            finalFocus={anchor}
            onKeyDown={(event) => {
              // Without a trigger of its own the menu would stay open, and the focus go to the top of the page instead of on.
              if (event.key !== 'Tab') return;
              anchor.current?.focus();
              onClose();
            }}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface ItemProps {
  icon?: ReactNode;
  onSelect(): void;
  isDanger?: boolean;
  disabled?: boolean;
  /** It asks something first: whoever opened the menu closes it. */
  isKept?: boolean;
  children: ReactNode;
}

/** One thing that a menu does. */
export const MenuItem = ({ icon, onSelect, isDanger, disabled, isKept = false, children }: ItemProps) => (
  <Base.Item
    className={`${styles.item} ${isDanger ? styles.danger : ''}`}
    onClick={onSelect}
    disabled={disabled}
    closeOnClick={!isKept}
  >
    <span className={styles.icon}>{icon}</span>
    <span>{children}</span>
  </Base.Item>
);

/** One thing that is on or off; the menu stays, so that several can be set. */
export const MenuCheck = ({
  isOn,
  onChange,
  children,
}: {
  isOn: boolean;
  onChange(isOn: boolean): void;
  children: ReactNode;
}) => (
  <Base.CheckboxItem className={styles.item} checked={isOn} onCheckedChange={onChange} closeOnClick={false}>
    <span className={styles.icon}>
      <Base.CheckboxItemIndicator>✓</Base.CheckboxItemIndicator>
    </span>
    <span>{children}</span>
  </Base.CheckboxItem>
);

/** A line between groups. */
export const MenuLine = () => <Base.Separator className={styles.line} />;
