import type { ReactNode } from 'react';
import styles from './EntryRow.module.css';

interface RowProps {
  /** Icon or picture. */
  icon?: ReactNode;
  name: ReactNode;
  /** Short facts in one paragraph, each in an element. */
  facts: ReactNode;
  /** Lines below the facts. */
  more?: ReactNode;
  isDisabled?: boolean;
  /** Buttons, what is shown below them in the whole width, and dialogs. */
  children: ReactNode;
}

/** An entry of a list: name, facts and buttons. */
export const EntryRow = ({ icon, name, facts, more, isDisabled = false, children }: RowProps) => (
  <li className={`${styles.row} ${isDisabled ? styles.disabled : ''}`}>
    {icon}
    <div className={styles.text}>
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <Facts>{facts}</Facts>
      {more}
    </div>
    {children}
  </li>
);

/** Short facts next to each other. */
export const Facts = ({ children }: { children: ReactNode }) => <p className={styles.facts}>{children}</p>;
