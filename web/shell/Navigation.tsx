import { useLingui } from '@lingui/react/macro';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconSettings } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { SidebarLists } from '#web/smart-list/SidebarLists.tsx';
import { useIsTheater } from '#web/player/state/player-store.ts';
import { useLocalStorage } from '#web/ui/use-local-storage.ts';
import { useIsStaff } from '#web/api/account.ts';
import { Logo } from '#web/ui/Logo.tsx';
import { laterNavItems, navItems, type NavItem } from './nav-items.ts';
import { NavEntry } from './NavEntry.tsx';
import { useNavCounts } from './use-nav-counts.ts';
import styles from './Navigation.module.css';

/** Collapsible sidebar; a bottom bar on phones. */
export function Navigation() {
  const { t } = useLingui();
  const isStaff = useIsStaff();
  const { pathname } = useLocation();
  const counts = useNavCounts();
  const [sidebar, setSidebar] = useLocalStorage('reelkeep.rail');
  const isTheater = useIsTheater();
  const isCollapsed = sidebar === 'narrow' || isTheater;
  const entries = (items: NavItem[]) =>
    items
      .filter(({ isForStaff }) => isStaff || !isForStaff)
      .map((item) => (
        <li key={item.to}>
          <NavEntry item={item} count={counts[item.to]} />
        </li>
      ));
  const Toggle = isCollapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  // The dashboard has the address above the settings.
  const isInSettings = /^\/settings\/./.test(pathname);
  return (
    <nav className={`${styles.nav} ${isCollapsed ? '' : styles.expanded}`} aria-label={t`Main`}>
      <Link to="/" className={styles.name} aria-label={t`Reelkeep, home`}>
        <Logo size={28} />
        <span>Reelkeep</span>
      </Link>
      <ul className={styles.items}>{entries(navItems)}</ul>
      <SidebarLists className={styles.item} />
      <ul className={styles.later}>{entries(laterNavItems)}</ul>
      <div className={styles.bottom}>
        <Link
          to={isStaff ? '/settings/application/' : '/settings/user/'}
          className={styles.item}
          title={t`Settings`}
          aria-current={isInSettings ? 'page' : undefined}
        >
          <IconSettings aria-hidden />
          <span>{t`Settings`}</span>
        </Link>
        {!isTheater && (
          <button
            type="button"
            className={`${styles.item} ${styles.toggle}`}
            title={isCollapsed ? t`Expand sidebar` : t`Collapse sidebar`}
            aria-expanded={!isCollapsed}
            onClick={() => setSidebar(isCollapsed ? null : 'narrow')}
          >
            <Toggle aria-hidden />
            <span>{isCollapsed ? t`Expand` : t`Collapse`}</span>
          </button>
        )}
      </div>
    </nav>
  );
}
