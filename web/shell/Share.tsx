import { Trans, useLingui } from '@lingui/react/macro';
import { IconShare } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { buttonClass } from '#web/ui/Button.tsx';
import { Empty } from '#web/ui/Note.tsx';
import { useIsStaff } from '#web/user/queries.ts';
import { linksIn } from './links-in.ts';
import { LinkOffer } from './LinkOffer.tsx';
import { useTitle } from './title.ts';

/** Where a phone's share sheet leads: what was shared goes into the queue, when the person says so. */
export function Share() {
  const { t } = useLingui();
  useTitle(t`Share`);
  const navigate = useNavigate();
  const isStaff = useIsStaff();
  const [search] = useSearchParams();
  const [links] = useState(() => linksIn(['url', 'text', 'title'].map((key) => search.get(key) ?? '').join(' ')));
  if (isStaff && links.length > 0)
    return (
      <>
        <h1 className="hidden">{t`Share`}</h1>
        <LinkOffer links={links} onClose={() => void navigate('/downloads/', { replace: true })} />
      </>
    );
  return (
    <Empty
      icon={<IconShare />}
      title={isStaff ? t`No link was shared` : t`Only staff may add videos`}
      action={
        <Link to="/" className={buttonClass('primary')}>
          <Trans>Go home</Trans>
        </Link>
      }
    >
      {isStaff ? t`Share the page of a video, a channel or a playlist.` : t`Ask somebody of the staff to add it.`}
    </Empty>
  );
}
