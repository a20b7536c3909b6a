import { IconAlertTriangle } from '@tabler/icons-react';
import styles from './FailedLines.module.css';

/** Rejected lines of a form with their reasons. */
export function FailedLines({ failed }: { failed: { line: string; reason: string }[] }) {
  if (failed.length === 0) return null;
  return (
    <div role="alert">
      <ul className={styles.failed}>
        {failed.map(({ line, reason }) => (
          <li key={line}>
            <IconAlertTriangle aria-hidden />
            <span>
              <strong>
                <bdi>{line}</bdi>
              </strong>{' '}
              {reason}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
