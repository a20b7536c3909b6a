import { NavLink } from 'react-router';
import styles from './Tabs.module.css';

/** Pages of one thing, side by side; each has an address of its own. */
export const Tabs = ({ label, tabs }: { label: string; tabs: { to: string; name: string }[] }) => (
  <nav className={styles.tabs} aria-label={label}>
    {tabs.map(({ to, name }) => (
      <NavLink key={to} to={to} end className={styles.tab} preventScrollReset>
        {name}
      </NavLink>
    ))}
  </nav>
);
