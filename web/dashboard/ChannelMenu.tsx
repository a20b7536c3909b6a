import { useLingui } from '@lingui/react/macro';
import { IconDeviceTv, IconSortDescending, IconTrash } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { pathOfChannel } from '#web/api/paths.ts';
import { pathOfFilter } from '#web/api/queries/video-filter.ts';
import { videosText } from '#web/format/numbers.ts';
import { MenuLink, MenuSeparator, OpenMenu } from '#web/ui/Menu.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import styles from './Dashboard.module.css';
import { useSuggestions } from './suggestions.ts';

/** Opens a channel, and its lists of videos that could be deleted. */
export function ChannelMenu({ id, ...popup }: { id: string; anchor: RefObject<HTMLButtonElement | null>; onClose(): void }) {
  const { t } = useLingui();
  const suggestions = useSuggestions(id);
  return (
    <OpenMenu {...popup}>
      <MenuLink to={pathOfChannel(id)} icon={<IconDeviceTv aria-hidden />}>{t`Open channel`}</MenuLink>
      <MenuLink to={pathOfFilter({ channel: id, sort: 'mediasize' })} icon={<IconSortDescending aria-hidden />}>
        {t`Largest videos`}
      </MenuLink>
      <MenuSeparator />
      {suggestions?.map(({ filter, name, videos, size }) => (
        <MenuLink key={name} to={pathOfFilter({ ...filter, sort: 'mediasize' })} icon={<IconTrash aria-hidden />}>
          {name}
          <span className={`${styles.amount} number`}>
            {videosText(videos)} · {size}
          </span>
        </MenuLink>
      ))}
      {suggestions?.length === 0 && <p className={styles.menuNote}>{t`No suggestions to free up space`}</p>}
      {!suggestions && <Skeleton height={36} />}
    </OpenMenu>
  );
}
