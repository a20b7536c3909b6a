import { useLingui } from '@lingui/react/macro';
import { IconPlus, IconSearch, IconSettings } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { useIsStaff } from '#web/api/account.ts';
import { isMac } from '#web/player/shortcuts/key-name.ts';
import { useIsTheater } from '#web/player/state/player-store.ts';
import { SearchBox } from './SearchBox.tsx';
import { AccountButton } from './AccountButton.tsx';
import { Logo } from '#web/ui/Logo.tsx';
import styles from './TopBar.module.css';

/** Top bar: name and links (on phones), search, command palette, the button that adds links, and the account menu. */
export function TopBar({ onPalette, onKeys, onAdd }: { onPalette(): void; onKeys(): void; onAdd(text: string): void }) {
  const { t } = useLingui();
  const { pathname } = useLocation();
  const isStaff = useIsStaff();
  const isTheater = useIsTheater();
  const keys = isMac() ? '⌘K' : `${t`Ctrl`} K`;
  const isSearching = pathname.startsWith('/search');
  return (
    <header className={`${styles.top} ${isTheater ? styles.theater : ''}`}>
      <Link to="/" className={styles.name} aria-label={t`Reelkeep, home`}>
        <Logo size={26} />
        {!isSearching && <span>Reelkeep</span>}
      </Link>
      <div className={styles.middle}>
        <SearchBox onAdd={onAdd} />
        <button type="button" className={styles.commands} title={t`Commands (${keys})`} onClick={onPalette}>
          <span className="hidden">{t`Commands`}</span> <kbd>{keys}</kbd>
        </button>
      </div>
      <span className={styles.corner}>
        {!isSearching && (
          <Link to="/search/" className={styles.button} aria-label={t`Search`} title={t`Search`}>
            <IconSearch aria-hidden />
          </Link>
        )}
        <Link to="/settings/" className={styles.button} aria-label={t`Settings`} title={t`Settings`}>
          <IconSettings aria-hidden />
        </Link>
      </span>
      <div className={styles.account}>
        {isStaff && (
          <button
            type="button"
            className={styles.button}
            aria-label={t`Add videos or channels`}
            title={t`Add videos or channels`}
            onClick={() => onAdd('')}
          >
            <IconPlus aria-hidden />
          </button>
        )}
        <AccountButton onKeys={onKeys} onPalette={onPalette} />
      </div>
    </header>
  );
}
