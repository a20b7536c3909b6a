import { Trans, useLingui } from '@lingui/react/macro';
import { Mark } from '#web/shell/Mark.tsx';
import { useTitle } from '#web/shell/title.ts';
import styles from './Login.module.css';

/** Where somebody arrives who logged in again beside what they were at. */
export function LoggedIn() {
  const { t } = useLingui();
  useTitle(t`Logged in again`);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <div className={styles.name}>
          <Mark size={44} />
          <h1>
            <Trans>Logged in again</Trans>
          </h1>
        </div>
        <p>
          <Trans>Close this tab, and go on in the one that you came from.</Trans>
        </p>
      </div>
    </main>
  );
}
