import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { callAddress } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Mark } from '#web/shell/Mark.tsx';
import { useTitle } from '#web/shell/title.ts';
import { buttonClass } from '#web/ui/Button.tsx';
import { Note } from '#web/ui/Note.tsx';
import { LoginForm } from './LoginForm.tsx';
import { pingBackend, waysIn } from './queries.ts';
import styles from './Login.module.css';

const patience = 10;

function Help() {
  return (
    <div className={styles.help}>
      <h2>
        <Trans>Still nothing?</Trans>
      </h2>
      <ul>
        <li>
          <Trans>Is the server running? Look at its log: it says what is wrong.</Trans>
        </li>
        <li>
          <Trans>
            Does it listen where you look? <code>REELKEEP_PORT</code> and <code>REELKEEP_HOST</code> say where; 8000 on every
            address unless set.
          </Trans>
        </li>
        <li>
          <Trans>
            Behind a reverse proxy: does it pass on <code>/api/</code>? Below a path, <code>REELKEEP_BASE_PATH</code> must say so.
          </Trans>
        </li>
        <li>
          <Trans>The first start after an update may take a minute.</Trans>
        </li>
      </ul>
    </div>
  );
}

/** Only pages of our own are gone back to. */
const wayBack = (next: string | null) => (next?.startsWith('/') && !next.startsWith('//') ? next : '/');

export function Login() {
  const { t } = useLingui();
  useTitle(t`Log in`);
  const ping = useQuery(pingBackend);
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const next = wayBack(search.get('next'));
  const isWaiting = !ping.isSuccess;
  const ways = useQuery({ ...waysIn, enabled: ping.isSuccess });
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <div className={styles.name}>
          <Mark size={44} />
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
        {isWaiting && ping.failureCount > patience && <Help />}
        {search.get('why') && <Note kind="danger">{search.get('why')}</Note>}
        {ways.data?.password !== false && (
          <LoginForm
            disabled={isWaiting && ping.failureCount > 0}
            onDone={() => {
              queryClient.clear();
              void navigate(next, { replace: true });
            }}
          />
        )}
        {ways.data?.oidc && (
          <a
            className={buttonClass(ways.data.password ? 'plain' : 'primary')}
            href={callAddress('/api/user/oidc/', {}, { next })}
          >
            <Trans>Log in with {ways.data.oidc}</Trans>
          </a>
        )}
      </div>
    </main>
  );
}
