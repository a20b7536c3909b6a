import { NavLink, useLocation } from 'react-router';
import { useInSight } from './in-sight.ts';
import styles from './Tabs.module.css';

/** Pages of one thing, side by side; each has an address of its own. Where they do not fit, the present one is in sight. */
export function Tabs({ label, tabs }: { label: string; tabs: { to: string; name: string }[] }) {
  const { pathname } = useLocation();
  const row = useInSight<HTMLElement>('[aria-current=page]', pathname);
  return (
    <nav ref={row} className={styles.tabs} aria-label={label}>
      {tabs.map(({ to, name }) => (
        <NavLink key={to} to={to} end className={styles.tab} preventScrollReset>
          {name}
        </NavLink>
      ))}
    </nav>
  );
}
