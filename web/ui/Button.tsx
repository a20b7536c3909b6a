import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './Button.module.css';

interface ButtonStyle {
  /** `primary` for the main action of a page; `danger` for destructive actions only. */
  kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  size?: 'm' | 's';
  icon?: ReactNode;
  isBusy?: boolean;
}
type Props = ButtonStyle & { ref?: Ref<HTMLButtonElement> } & ButtonHTMLAttributes<HTMLButtonElement>;

export function Button({ kind = 'plain', size = 'm', icon, isBusy = false, children, className = '', disabled, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
      className={`${buttonClass(kind, size)} ${className}`}
    >
      {icon}
      {children && <span>{children}</span>}
    </button>
  );
}

/** Button style for links. */
export const buttonClass = (kind: NonNullable<ButtonStyle['kind']> = 'plain', size: NonNullable<ButtonStyle['size']> = 'm') =>
  [styles.button, kind !== 'plain' && styles[kind], size === 's' && styles.s].filter(Boolean).join(' ');

/** An icon button; the label is its accessible name and tooltip. */
export function IconButton({
  label,
  children,
  className = '',
  ...rest
}: { label: string; ref?: Ref<HTMLButtonElement> } & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button type="button" aria-label={label} title={label} {...rest} className={`${styles.icon} ${className}`}>
      {children}
    </button>
  );
}
