import type { ReactNode } from 'react';
import styles from './ActionRow.module.css';

/** Row of the main actions of a page. If compact, phones show only the icons of all but the first. */
export const ActionRow = ({ isCompact = false, children }: { isCompact?: boolean; children: ReactNode }) => (
  <div className={`${styles.row} ${isCompact ? styles.compact : ''}`}>{children}</div>
);
