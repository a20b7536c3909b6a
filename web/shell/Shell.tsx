import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Navigate, Outlet, ScrollRestoration, useLocation, type Location } from 'react-router';
import { isLoggedOut } from '#web/api/call.ts';
import { useServerEvents } from '#web/api/events.ts';
import { PersistentPlayer } from '#web/player/PersistentPlayer.tsx';
import { updatePlayerState } from '#web/api/queries/video.ts';
import { useTheme } from '#web/theme/theme.ts';
import { Button } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { Toasts } from '#web/ui/toasts.tsx';
import { ReauthProvider } from '#web/confirm/ReauthProvider.tsx';
import { accountQuery, useConfig } from '#web/api/account.ts';
import { useCommunityChoice } from '#web/community/community.ts';
import { SessionGone } from '#web/user/SessionGone.tsx';
import { useRestoreFocus } from './restore-focus.ts';
import { Footer } from '#web/footer/Footer.tsx';
import { useCrossTabLogout } from './log-out.ts';
import { Navigation } from './Navigation.tsx';
import { TrayGate } from '#web/tray/TrayGate.tsx';
import { GlobalOverlays } from './GlobalOverlays.tsx';
import { ServerState } from './ServerState.tsx';
import { TopBar } from './TopBar.tsx';
import styles from './Shell.module.css';

function Inside() {
  useServerEvents({ onPlayer: updatePlayerState });
  const config = useConfig();
  useTheme(config);
  useCommunityChoice(config);
  useCrossTabLogout();
  useRestoreFocus();
  const { pathname } = useLocation();
  const [isPalette, setIsPalette] = useState(false);
  const [isKeyHelp, setIsKeyHelp] = useState(false);
  const [addText, setAddText] = useState<string | null>(null);
  // Screen readers start at the beginning of the new page.
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- runs when the path changes
  useEffect(() => {
    // An anchor gets the focus itself.
    if (!pathname.startsWith('/search') && location.hash === '') document.getElementById('page')?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <Toasts>
      <ReauthProvider>
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
            <TopBar onPalette={() => setIsPalette(true)} onKeys={() => setIsKeyHelp(true)} onAdd={setAddText} />
            <main id="page" className={styles.page} tabIndex={-1}>
              <PersistentPlayer />
              <Outlet />
            </main>
            <Footer />
          </div>
        </div>
        <TrayGate />
        <GlobalOverlays
          isPalette={isPalette}
          onPalette={setIsPalette}
          isKeyHelp={isKeyHelp}
          onKeyHelp={setIsKeyHelp}
          addText={addText}
          onAdd={setAddText}
        />
        <SessionGone />
        <ServerState />
        <ScrollRestoration getKey={scrollKey} />
      </ReauthProvider>
    </Toasts>
  );
}

// The first page of each visit has the key `default`; a page opened by its address would get the position of the page before.
const scrollKey = ({ key, pathname, search }: Location) => (key === 'default' ? pathname + search : key);

/** Layout of all pages behind the login. Redirects to the login page and back. */
export function Shell() {
  const account = useQuery(accountQuery);
  const { pathname, search } = useLocation();
  if (account.data) return <Inside />;
  if (account.isPending) return null; // too short for a skeleton
  if (isLoggedOut(account.error)) return <Navigate to={`/login/?next=${encodeURIComponent(pathname + search)}`} replace />;
  return (
    <main className={styles.centered}>
      <Callout kind="danger">{account.error.message}</Callout>
      <Button onClick={() => void account.refetch()}>
        <Trans>Try again</Trans>
      </Button>
    </main>
  );
}
