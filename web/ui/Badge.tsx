import type { ReactNode } from 'react';
import styles from './Badge.module.css';

/** A highlighted word. */
export const Badge = ({ isDanger = false, children }: { isDanger?: boolean; children: ReactNode }) => (
  <span className={`${styles.badge} ${isDanger ? styles.danger : ''}`}>{children}</span>
);
