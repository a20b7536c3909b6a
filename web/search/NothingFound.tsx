import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconMoodEmpty } from '@tabler/icons-react';
import { Link } from 'react-router';
import { settingsQuery } from '#web/settings/setting-queries.ts';
import { buttonClass } from '#web/ui/Button.tsx';
import { Empty } from '#web/ui/Note.tsx';
import { useIsStaff } from '#web/user/queries.ts';
import type { Search } from './use-search.ts';

/** Nothing is found: what one can try, or that what is spoken was never looked through. */
export function NothingFound({ search }: { search: Search }) {
  const { t } = useLingui();
  const isStaff = useIsStaff();
  const settings = useQuery({ ...settingsQuery, enabled: search.words.type === 'full' });
  if (settings.data?.downloads.subtitle_index === false)
    return (
      <Empty
        icon={<IconMoodEmpty />}
        title={t`What is spoken is not searched`}
        action={
          isStaff && (
            <Link to="/settings/application/#subtitles" className={buttonClass()}>
              <Trans>Subtitles, under Settings</Trans>
            </Link>
          )
        }
      >
        {isStaff
          ? t`With subtitles fetched and searched in, every word that is said leads to its second.`
          : t`Whoever looks after this archive can switch it on.`}
      </Empty>
    );
  return (
    <Empty icon={<IconMoodEmpty />} title={t`Nothing found`}>
      {search.chosen > 0
        ? t`Nothing that matches the filters. Take some away, or try other words.`
        : t`Try fewer or other words. Typing mistakes are forgiven, but not all of them.`}
    </Empty>
  );
}
