import type { ReactNode } from 'react';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import styles from './Callout.module.css';

/** A highlighted message: information or an error. */
export function Callout({ kind = 'info', children }: { kind?: 'info' | 'danger'; children: ReactNode }) {
  const Icon = kind === 'danger' ? IconAlertTriangle : IconInfoCircle;
  return (
    <div className={`${styles.callout} ${kind === 'danger' ? styles.danger : ''}`} role={kind === 'danger' ? 'alert' : 'status'}>
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
  /** It is all of the page. */
  isPage?: boolean;
  /** Something else follows. */
  isSmall?: boolean;
}

/** Empty state with a hint and an action. */
export function EmptyState({ icon, title, children, action, isPage = false, isSmall = false }: EmptyProps) {
  const Title = isPage ? 'h1' : 'h2';
  return (
    <div className={`${styles.empty} ${isSmall ? styles.small : ''}`}>
      <div className={styles.icon} aria-hidden>
        {icon}
      </div>
      <Title>{title}</Title>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}
