import type { ReactNode } from 'react';
import styles from './ActionRow.module.css';

/** What can be done with what a page is about. */
export const ActionRow = ({ children }: { children: ReactNode }) => <div className={styles.row}>{children}</div>;
