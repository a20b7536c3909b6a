import type { ReactNode } from 'react';
import styles from './FieldColumns.module.css';

/** Fields in two columns on wide screens; switches take both. */
export const FieldColumns = ({ children }: { children: ReactNode }) => <div className={styles.columns}>{children}</div>;
