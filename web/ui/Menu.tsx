import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
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

interface ItemProps {
  icon?: ReactNode;
  onSelect(): void;
  isDanger?: boolean;
  disabled?: boolean;
  children: ReactNode;
}

/** One thing that a menu does. */
export const MenuItem = ({ icon, onSelect, isDanger, disabled, children }: ItemProps) => (
  <Base.Item className={`${styles.item} ${isDanger ? styles.danger : ''}`} onClick={onSelect} disabled={disabled}>
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
