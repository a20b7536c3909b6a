import { useLingui } from '@lingui/react/macro';
import { IconCommand, IconLogout, IconSearch, IconSettings } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { SearchBox } from '#web/search/SearchBox.tsx';
import { IconButton } from '#web/ui/Button.tsx';
import { useLogOut } from './log-out.ts';
import { Mark } from './Mark.tsx';
import styles from './TopBar.module.css';

/** What is always in reach: the name on a phone, the search, and everything by a few letters. */
export function TopBar({ onPalette }: { onPalette(): void }) {
  const { t } = useLingui();
  const logOut = useLogOut();
  const { pathname } = useLocation();
  const isSearching = pathname.startsWith('/search');
  return (
    <header className={styles.top}>
      <Link to="/" className={styles.name} aria-label={t`Reelkeep, home`}>
        <Mark size={26} />
        {!isSearching && <span>Reelkeep</span>}
      </Link>
      <SearchBox />
      <span className={styles.wide}>
        <IconButton label={t`Commands`} title={t`Commands (Ctrl K)`} onClick={onPalette}>
          <IconCommand aria-hidden />
        </IconButton>
      </span>
      <span className={styles.corner}>
        {!isSearching && (
          <Link to="/search/" className={styles.button} aria-label={t`Search`} title={t`Search`}>
            <IconSearch aria-hidden />
          </Link>
        )}
        <Link to="/settings/" className={styles.button} aria-label={t`Settings`} title={t`Settings`}>
          <IconSettings aria-hidden />
        </Link>
        <IconButton label={t`Log out`} onClick={logOut}>
          <IconLogout aria-hidden />
        </IconButton>
      </span>
    </header>
  );
}
