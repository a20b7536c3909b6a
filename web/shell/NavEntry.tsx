import { Plural, useLingui } from '@lingui/react/macro';
import { NavLink } from 'react-router';
import type { NavItem } from './nav-items.ts';
import styles from './Navigation.module.css';

const maxCount = 99;

/** A link of the navigation with its number, if it has one: failed downloads in red, deleted videos in gray. */
export function NavEntry({ item: { to, name, Icon }, count = 0 }: { item: NavItem; count?: number | undefined }) {
  const { t } = useLingui();
  const isFailure = to === '/downloads/';
  return (
    <NavLink to={to} end={to === '/' || to.includes('#')} className={styles.item} title={t(name)}>
      <Icon aria-hidden />
      <span>{t(name)}</span>
      {count > 0 && (
        <span className={`${styles.count} ${isFailure ? styles.failed : ''}`}>
          <span aria-hidden>{count > maxCount ? `${maxCount}+` : count}</span>
          <span className="hidden">
            {isFailure ? (
              <Plural value={count} one="# failed" other="# failed" />
            ) : (
              <Plural value={count} one="# video" other="# videos" />
            )}
          </span>
        </span>
      )}
    </NavLink>
  );
}
