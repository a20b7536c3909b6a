import type { ReactNode } from 'react';
import styles from './ControlButton.module.css';

interface Props {
  label: string;
  onClick(): unknown;
  /** A switch, and whether it is on. */
  isOn?: boolean;
  /** It opens something, and whether that is open. */
  isOpen?: boolean;
  className?: string;
  children: ReactNode;
}

/** A button on the picture: light on dark in every theme, because what lies below is the video. */
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
