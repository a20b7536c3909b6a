import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { Navigate, Outlet, ScrollRestoration, useLocation } from 'react-router';
import { isLoggedOut } from '#web/api/call.ts';
import { useServerEvents } from '#web/api/events.ts';
import { StandingPlayer } from '#web/player/StandingPlayer.tsx';
import { showPlayer } from '#web/video/queries.ts';
import { useTheme } from '#web/theme/theme.ts';
import { Button } from '#web/ui/Button.tsx';
import { Note } from '#web/ui/Note.tsx';
import { Toasts } from '#web/ui/toasts.tsx';
import { Confirming } from '#web/user/Confirming.tsx';
import { accountQuery, useConfig } from '#web/user/queries.ts';
import { SessionGone } from '#web/user/SessionGone.tsx';
import { useFocusStays } from './focus-stays.ts';
import { Footer } from './Footer.tsx';
import { useLoggedOutElsewhere } from './log-out.ts';
import { Navigation } from './Navigation.tsx';
import { Over } from './Over.tsx';
import { TopBar } from './TopBar.tsx';
import styles from './Shell.module.css';

function Inside() {
  useServerEvents({ onPlayer: showPlayer });
  useTheme(useConfig());
  useLoggedOutElsewhere();
  useFocusStays();
  const { pathname } = useLocation();
  const [isPalette, setIsPalette] = useState(false);
  // Who listens instead of looking hears the new page from its beginning.
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the place is the occasion
  useEffect(() => {
    if (!pathname.startsWith('/search')) document.getElementById('page')?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <Toasts>
      <Confirming>
        <a
          className={styles.skip}
          href="#page"
          onClick={(event) => {
            event.preventDefault();
            document.getElementById('page')?.focus();
          }}
        >
          <Trans>Skip to content</Trans>
        </a>
        <div className={styles.shell}>
          <Navigation />
          <div className={styles.column}>
            <TopBar onPalette={() => setIsPalette(true)} />
            <main id="page" className={styles.page} tabIndex={-1}>
              <StandingPlayer />
              <Suspense fallback={<span data-skeleton hidden />}>
                <Outlet />
              </Suspense>
            </main>
            <Footer />
          </div>
        </div>
        <Over isPalette={isPalette} onPalette={setIsPalette} />
        <SessionGone />
        <ScrollRestoration />
      </Confirming>
    </Toasts>
  );
}

/** Everything behind the login: who is not logged in is sent there, and comes back. */
export function Shell() {
  const account = useQuery(accountQuery);
  const { pathname, search } = useLocation();
  if (account.data) return <Inside />;
  if (account.isPending) return null; // a moment; a skeleton would only flash
  if (isLoggedOut(account.error)) return <Navigate to={`/login/?next=${encodeURIComponent(pathname + search)}`} replace />;
  return (
    <main className={styles.alone}>
      <Note kind="danger">{account.error.message}</Note>
      <Button onClick={() => void account.refetch()}>
        <Trans>Try again</Trans>
      </Button>
    </main>
  );
}
