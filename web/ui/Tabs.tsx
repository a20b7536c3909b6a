import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router';
import styles from './Tabs.module.css';

/** Pages of one thing, side by side; each has an address of its own. Where they do not fit, the present one is in sight. */
export function Tabs({ label, tabs }: { label: string; tabs: { to: string; name: string }[] }) {
  const row = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    const present = row.current?.querySelector<HTMLElement>('[aria-current=page]');
    // Not scrollIntoView: the page itself stays where it is.
    if (present)
      row.current!.scrollLeft =
        present.offsetLeft - row.current!.offsetLeft - (row.current!.clientWidth - present.offsetWidth) / 2;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the place is the occasion
  }, [pathname]);
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
