import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconListSearch } from '@tabler/icons-react';
import { NavLink } from 'react-router';
import { pathOfList } from '#web/video/paths.ts';
import { NewCount } from './NewCount.tsx';
import { smartLists } from './all-lists.ts';
import styles from './Lists.module.css';

/** The smart lists in the rail; each looks as a place does. */
export function RailLists({ className }: { className: string | undefined }) {
  const { t } = useLingui();
  const { data } = useQuery(smartLists);
  if (!data || data.length === 0) return null;
  return (
    <ul className={styles.rail} aria-label={t`Smart lists`}>
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
