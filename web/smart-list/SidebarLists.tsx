import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconListSearch } from '@tabler/icons-react';
import { NavLink } from 'react-router';
import { pathOfList } from '#web/api/paths.ts';
import { NewCount } from './NewCount.tsx';
import { smartLists } from '#web/api/queries/all-smart-lists.ts';
import styles from './SmartLists.module.css';

/** Smart lists in the sidebar, styled as navigation items. */
export function SidebarLists({ className }: { className: string | undefined }) {
  const { t } = useLingui();
  const { data } = useQuery(smartLists);
  if (!data || data.length === 0) return null;
  return (
    <ul className={styles.sidebar} aria-label={t`Smart lists`}>
      {data.map(({ id, name, new_videos: count }) => (
        <li key={id}>
          <NavLink to={pathOfList(id)} className={className} title={name}>
            <IconListSearch aria-hidden />
            <bdi className={styles.name}>{name}</bdi>
            <NewCount count={count} />
          </NavLink>
        </li>
      ))}
    </ul>
  );
}
