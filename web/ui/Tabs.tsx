import { NavLink, useLocation } from 'react-router';
import { useScrollIntoView } from './use-scroll-into-view.ts';
import styles from './Tabs.module.css';

/** Navigation tabs. When they overflow, the current one is scrolled into view. */
export function Tabs({ label, tabs }: { label: string; tabs: { to: string; name: string }[] }) {
  const { pathname } = useLocation();
  const row = useScrollIntoView<HTMLElement>('[aria-current=page]', pathname);
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
