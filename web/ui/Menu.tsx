import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode, RefObject } from 'react';
import { Link } from 'react-router';
import styles from './Menu.module.css';

/** A dropdown menu. */
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

/** A menu that is open when mounted, for menus that are loaded on demand. */
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
              // Without a trigger element the menu would stay open and the focus would move to the top of the page.
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
  /** The menu stays open after the selection; the caller closes it. */
  staysOpen?: boolean;
  children: ReactNode;
}

export const MenuItem = ({ icon, onSelect, isDanger, disabled, staysOpen = false, children }: ItemProps) => (
  <Base.Item
    className={`${styles.item} ${isDanger ? styles.danger : ''}`}
    onClick={onSelect}
    disabled={disabled}
    closeOnClick={!staysOpen}
  >
    <span className={styles.icon}>{icon}</span>
    <span>{children}</span>
  </Base.Item>
);

/** An item that opens a page. */
export const MenuLink = ({ icon, to, children }: { icon?: ReactNode; to: string; children: ReactNode }) => (
  <Base.LinkItem className={styles.item} render={<Link to={to} />} closeOnClick>
    <span className={styles.icon}>{icon}</span>
    <span>{children}</span>
  </Base.LinkItem>
);

/** A checkbox item. The menu stays open. */
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

/** A group of choices. The menu closes after the selection. */
export const MenuRadioGroup = <T extends string>({
  label,
  choices,
  value,
  onChange,
}: {
  label: string;
  choices: { value: T; label: string }[];
  value: T;
  onChange(value: T): void;
}) => (
  <Base.RadioGroup aria-label={label} value={value} onValueChange={onChange}>
    {choices.map((choice) => (
      <Base.RadioItem key={choice.value} className={styles.item} value={choice.value} closeOnClick>
        <span className={styles.icon}>
          <Base.RadioItemIndicator>✓</Base.RadioItemIndicator>
        </span>
        <span>{choice.label}</span>
      </Base.RadioItem>
    ))}
  </Base.RadioGroup>
);

export const MenuSeparator = () => <Base.Separator className={styles.line} />;
