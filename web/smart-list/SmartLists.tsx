import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconListSearch } from '@tabler/icons-react';
import { Link } from 'react-router';
import { pathOfList } from '#web/api/paths.ts';
import { NewCount } from './NewCount.tsx';
import { smartLists } from '#web/api/queries/all-smart-lists.ts';
import styles from './SmartLists.module.css';

/** Smart lists as chips, for screens without a sidebar. */
export function SmartLists() {
  const { t } = useLingui();
  const { data } = useQuery(smartLists);
  if (!data || data.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="smart-lists">
      <h2 id="smart-lists">{t`Smart lists`}</h2>
      <ul className={styles.chips}>
        {data.map((list) => (
          <li key={list.id}>
            <Link to={pathOfList(list.id)} className={styles.chip}>
              <IconListSearch aria-hidden />
              <bdi>{list.name}</bdi>
              <NewCount count={list.new_videos} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
