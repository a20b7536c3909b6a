import { Plural } from '@lingui/react/macro';
import styles from './SmartLists.module.css';

const maximum = 99;

/** Badge with the number of new videos since the last visit to the list. */
export function NewCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className={styles.count}>
      <span aria-hidden>{count > maximum ? `${maximum}+` : count}</span>
      <span className="hidden">
        <Plural value={count} one="# new" other="# new" />
      </span>
    </span>
  );
}
