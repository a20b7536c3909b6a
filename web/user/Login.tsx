import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { callAddress } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Logo } from '#web/ui/Logo.tsx';
import { useTitle } from '#web/ui/use-title.ts';
import { buttonClass } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { LoginForm } from './LoginForm.tsx';
import { loginProblem } from './login-problems.ts';
import { pingQuery, loginMethodsQuery } from '#web/api/account.ts';
import styles from './Login.module.css';

const helpAfterAttempts = 10;

function Help() {
  return (
    <div className={styles.help}>
      <h2>
        <Trans>Server not responding?</Trans>
      </h2>
      <ul>
        <li>
          <Trans>Is the server running? Check its log for errors.</Trans>
        </li>
        <li>
          <Trans>
            Is the address correct? <code>REELKEEP_PORT</code> and <code>REELKEEP_HOST</code> set it; the default is port 8000 on
            all addresses.
          </Trans>
        </li>
        <li>
          <Trans>
            Behind a reverse proxy: does it forward <code>/api/</code>? If Reelkeep runs under a path, set{' '}
            <code>REELKEEP_BASE_PATH</code>.
          </Trans>
        </li>
        <li>
          <Trans>The first start after an update may take a minute.</Trans>
        </li>
      </ul>
    </div>
  );
}

/** How to get into an archive whose first password is lost. */
function FirstPasswordHelp() {
  return (
    <details className={styles.help}>
      <summary>
        <Trans>First password lost?</Trans>
      </summary>
      <p>
        <Trans>
          The log of the first start shows it, unless you chose one. This command on the server sets a new one for the account
          admin:
        </Trans>
      </p>
      <p>
        <code>npm run cli -- reset-password admin</code>
      </p>
      <p>
        <Trans>In a container:</Trans> <code>docker compose exec reelkeep reelkeep reset-password admin</code>
      </p>
    </details>
  );
}

/** Prevents open redirects: returns to paths of this app only. Browsers treat a backslash as a slash. */
const safeReturnPath = (next: string | null) => (next && /^\/(?![/\\])[^\\]*$/.test(next) ? next : '/');

export function Login() {
  const { t, i18n } = useLingui();
  useTitle(t`Log in`);
  const ping = useQuery(pingQuery);
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const next = safeReturnPath(search.get('next'));
  const problem = loginProblem(search.get('why'));
  const isWaiting = !ping.isSuccess;
  const loginMethods = useQuery({ ...loginMethodsQuery, enabled: ping.isSuccess });
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <div className={styles.name}>
          <Logo size={44} />
          <h1>Reelkeep</h1>
        </div>
        {isWaiting && ping.failureCount > 0 && (
          <p className={styles.waiting} role="status">
            <span className={styles.dot} aria-hidden /> <Trans>Waiting for backend</Trans>{' '}
            <span className={`${styles.attempts} number`}>
              <Plural value={ping.failureCount} one="# attempt" other="# attempts" />
            </span>
          </p>
        )}
        {isWaiting && ping.failureCount > helpAfterAttempts && <Help />}
        {problem && <Callout kind="danger">{i18n._(problem)}</Callout>}
        {loginMethods.data?.password !== false && (
          <LoginForm
            disabled={isWaiting && ping.failureCount > 0}
            onDone={() => {
              queryClient.clear();
              void navigate(next, { replace: true });
            }}
          />
        )}
        {loginMethods.data?.awaits_first_login && <FirstPasswordHelp />}
        {loginMethods.data?.oidc && (
          <a
            className={buttonClass(loginMethods.data.password ? 'plain' : 'primary')}
            href={callAddress('/api/user/oidc/', {}, { next })}
          >
            <Trans>Log in with {loginMethods.data.oidc}</Trans>
          </a>
        )}
      </div>
    </main>
  );
}
