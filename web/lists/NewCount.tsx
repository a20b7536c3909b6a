import { Plural } from '@lingui/react/macro';
import styles from './Lists.module.css';

const most = 99;

/** How much is new in a list since somebody looked. */
export function NewCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className={styles.count}>
      <span aria-hidden>{count > most ? `${most}+` : count}</span>
      <span className="hidden">
        <Plural value={count} one="# new" other="# new" />
      </span>
    </span>
  );
}
