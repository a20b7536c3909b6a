import type { ReactNode } from 'react';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import styles from './Note.module.css';

/** A sentence that must be seen: what happened, or what went wrong. */
export function Note({ kind = 'info', children }: { kind?: 'info' | 'danger'; children: ReactNode }) {
  const Icon = kind === 'danger' ? IconAlertTriangle : IconInfoCircle;
  return (
    <div className={`${styles.note} ${styles[kind]}`} role={kind === 'danger' ? 'alert' : 'status'}>
      <Icon aria-hidden />
      <div>{children}</div>
    </div>
  );
}

interface EmptyProps {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** Nothing here, and what to do about it. */
export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <div className={styles.picture} aria-hidden>
        {icon}
      </div>
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}
