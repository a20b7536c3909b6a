import { Trans, useLingui } from '@lingui/react/macro';
import { Logo } from '#web/ui/Logo.tsx';
import { useTitle } from '#web/ui/use-title.ts';
import styles from './Login.module.css';

/** Landing page after re-authentication in a new tab. */
export function LoggedIn() {
  const { t } = useLingui();
  useTitle(t`Logged in again`);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <div className={styles.name}>
          <Logo size={44} />
          <h1>
            <Trans>Logged in again</Trans>
          </h1>
        </div>
        <p>
          <Trans>Close this tab and continue in the previous one.</Trans>
        </p>
      </div>
    </main>
  );
}
