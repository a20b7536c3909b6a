import styles from './ProgressBar.module.css';

/** Progress of a task, 0 to 1. Moves to and fro while it is unknown. */
export function ProgressBar({ progress, label }: { progress: number | undefined; label: string }) {
  return (
    <div
      className={`${styles.bar} ${progress === undefined ? styles.unknown : ''}`}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={progress === undefined ? undefined : Math.round(progress * 100)}
    >
      <span style={{ width: progress === undefined ? undefined : `${progress * 100}%` }} />
    </div>
  );
}
