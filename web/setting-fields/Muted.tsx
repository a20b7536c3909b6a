import type { ReactNode } from 'react';
import styles from './Muted.module.css';

/** A paragraph of secondary importance. */
export const Muted = ({ children }: { children: ReactNode }) => <p className={styles.muted}>{children}</p>;
