import {
  IconBroadcast,
  IconDownload,
  IconHome,
  IconInfoCircle,
  IconLogout,
  IconPlaylist,
  IconSettings,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { Link, NavLink, useNavigate } from 'react-router';
import { TaskNotices } from '#web/downloads/TaskNotices.tsx';
import { logOut, useIsStaff } from '#web/user/queries.ts';
import { Mark } from './Mark.tsx';
import styles from './Navigation.module.css';

interface Place {
  to: string;
  name: string;
  Icon: ComponentType<{ 'aria-hidden'?: boolean }>;
  isForStaff?: true;
}

const places: Place[] = [
  { to: '/', name: 'Home', Icon: IconHome },
  { to: '/channel/', name: 'Channels', Icon: IconBroadcast },
  { to: '/playlist/', name: 'Playlists', Icon: IconPlaylist },
  { to: '/downloads/', name: 'Downloads', Icon: IconDownload, isForStaff: true },
];

function LogOut({ className = '' }: { className?: string }) {
  const navigate = useNavigate();
  return (
    <button
      type="button"
      className={className}
      title="Log out"
      aria-label="Log out"
      onClick={() => void logOut().then((elsewhere) => (elsewhere ? location.assign(elsewhere) : navigate('/login/')))}
    >
      <IconLogout aria-hidden />
      <span>Log out</span>
    </button>
  );
}

/** The rail on a wide screen, a bar at the top and one at the bottom on a phone. */
export function Navigation() {
  const isStaff = useIsStaff();
  const shown = places.filter((place) => isStaff || !place.isForStaff);
  return (
    <>
      <header className={styles.top}>
        <Link to="/" className={styles.name} aria-label="Reelkeep, home">
          <Mark size={26} />
          <span>Reelkeep</span>
        </Link>
        <div className={styles.corner}>
          <Link to="/settings/" className={styles.settings} aria-label="Settings" title="Settings">
            <IconSettings aria-hidden />
          </Link>
          <LogOut className={styles.settings} />
        </div>
      </header>
      <nav className={styles.nav} aria-label="Main">
        <Link to="/" className={`${styles.name} ${styles.railName}`} aria-label="Reelkeep, home">
          <Mark size={28} />
          <span>Reelkeep</span>
        </Link>
        <ul className={styles.places}>
          {shown.map(({ to, name, Icon }) => (
            <li key={to}>
              <NavLink to={to} end={to === '/'} className={styles.place} title={name}>
                <Icon aria-hidden />
                <span>{name}</span>
              </NavLink>
            </li>
          ))}
        </ul>
        <div className={styles.rest}>
          <TaskNotices isCompact />
          <NavLink to="/settings/" className={styles.place} title="Settings">
            <IconSettings aria-hidden />
            <span>Settings</span>
          </NavLink>
          <NavLink to="/about/" className={styles.place} title="About">
            <IconInfoCircle aria-hidden />
            <span>About</span>
          </NavLink>
          <LogOut className={styles.place} />
        </div>
      </nav>
    </>
  );
}
