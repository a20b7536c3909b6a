import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './Button.module.css';

interface Look {
  /** `primary` for the one thing a page is for; `danger` only for what destroys. */
  kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  size?: 'm' | 's';
  icon?: ReactNode;
  isBusy?: boolean;
}
type Props = Look & ButtonHTMLAttributes<HTMLButtonElement>;

export function Button({ kind = 'plain', size = 'm', icon, isBusy = false, children, className = '', disabled, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
      className={`${styles.button} ${styles[kind]} ${styles[size]} ${className}`}
    >
      {icon}
      {children && <span>{children}</span>}
    </button>
  );
}

/** The same look, for what leads elsewhere. */
export const buttonClass = (kind: NonNullable<Look['kind']> = 'plain', size: NonNullable<Look['size']> = 'm') =>
  `${styles.button} ${styles[kind]} ${styles[size]}`;

/** A button that is only a picture; its name is for those who cannot see it, and for hovering. */
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
