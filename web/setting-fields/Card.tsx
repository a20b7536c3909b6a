import type { ComponentProps, ReactNode } from 'react';
import styles from './Card.module.css';

export const Card = ({ className = '', ...rest }: ComponentProps<'section'>) => (
  <section {...rest} className={`${styles.card} ${className}`} />
);

/** Cards below each other. */
export const Cards = ({ children }: { children: ReactNode }) => <div className={styles.cards}>{children}</div>;
