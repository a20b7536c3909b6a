import { useLingui } from '@lingui/react/macro';
import {
  IconInfoCircle,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconLogout,
  IconSettings,
} from '@tabler/icons-react';
import { Link, NavLink } from 'react-router';
import { TaskNotices } from '#web/downloads/TaskNotices.tsx';
import { RailLists } from '#web/lists/RailLists.tsx';
import { useKept } from '#web/ui/kept.ts';
import { useIsStaff } from '#web/user/queries.ts';
import { useLogOut } from './log-out.ts';
import { Mark } from './Mark.tsx';
import { places } from './places.ts';
import styles from './Navigation.module.css';

/** The rail on a wide screen, which can be made narrow; a bar at the bottom on a phone. */
export function Navigation() {
  const { t } = useLingui();
  const isStaff = useIsStaff();
  const logOut = useLogOut();
  const [rail, setRail] = useKept('reelkeep.rail');
  const isNarrow = rail === 'narrow';
  const shown = places.filter((place) => isStaff || !place.isForStaff);
  const Toggle = isNarrow ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <nav className={`${styles.nav} ${isNarrow ? '' : styles.broad}`} aria-label={t`Main`}>
      <Link to="/" className={styles.name} aria-label={t`Reelkeep, home`}>
        <Mark size={28} />
        <span>Reelkeep</span>
      </Link>
      <ul className={styles.places}>
        {shown.map(({ to, name, Icon }) => (
          <li key={to}>
            <NavLink to={to} end={to === '/'} className={styles.place} title={t(name)}>
              <Icon aria-hidden />
              <span>{t(name)}</span>
            </NavLink>
          </li>
        ))}
      </ul>
      <RailLists className={styles.place} />
      <div className={styles.rest}>
        <TaskNotices isCompact />
        <NavLink to="/settings/" className={styles.place} title={t`Settings`}>
          <IconSettings aria-hidden />
          <span>{t`Settings`}</span>
        </NavLink>
        <NavLink to="/about/" className={styles.place} title={t`About`}>
          <IconInfoCircle aria-hidden />
          <span>{t`About`}</span>
        </NavLink>
        <button type="button" className={styles.place} title={t`Log out`} aria-label={t`Log out`} onClick={logOut}>
          <IconLogout aria-hidden />
          <span>{t`Log out`}</span>
        </button>
        <button
          type="button"
          className={`${styles.place} ${styles.toggle}`}
          title={isNarrow ? t`Make this broad` : t`Make this narrow`}
          aria-expanded={!isNarrow}
          onClick={() => setRail(isNarrow ? null : 'narrow')}
        >
          <Toggle aria-hidden />
          <span>{isNarrow ? t`Broad` : t`Narrow`}</span>
        </button>
      </div>
    </nav>
  );
}
