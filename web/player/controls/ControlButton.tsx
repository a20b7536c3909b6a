import type { ReactNode } from 'react';
import styles from './ControlButton.module.css';

interface Props {
  label: string;
  onClick(): unknown;
  /** Toggle buttons: whether it is on. */
  isOn?: boolean;
  /** Buttons that open a panel: whether it is open. */
  isOpen?: boolean;
  className?: string;
  children: ReactNode;
}

/** Button on the video: light on dark in every theme. */
export const ControlButton = ({ label, onClick, isOn, isOpen, className = '', children }: Props) => (
  <button
    type="button"
    className={`${styles.button} ${className}`}
    aria-label={label}
    title={label}
    aria-pressed={isOn}
    aria-expanded={isOpen}
    onClick={() => void onClick()}
  >
    {children}
  </button>
);
