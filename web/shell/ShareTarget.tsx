import { Trans, useLingui } from '@lingui/react/macro';
import { IconShare } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { buttonClass } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/Callout.tsx';
import { AddDialog } from '#web/add/AddDialog.tsx';
import { useIsStaff } from '#web/api/account.ts';
import { extractLinks } from './extract-links.ts';
import { useTitle } from '#web/ui/use-title.ts';

/** Target of the share sheet of phones: shows what the shared links point to. */
export function ShareTarget() {
  const { t } = useLingui();
  useTitle(t`Share`);
  const navigate = useNavigate();
  const isStaff = useIsStaff();
  const [search] = useSearchParams();
  const [links] = useState(() => extractLinks(['url', 'text', 'title'].map((key) => search.get(key) ?? '').join(' ')));
  if (isStaff && links.length > 0)
    return (
      <>
        <h1 className="hidden">{t`Share`}</h1>
        <AddDialog text={links.join('\n')} onClose={() => void navigate('/downloads/', { replace: true })} />
      </>
    );
  return (
    <EmptyState
      isPage
      icon={<IconShare />}
      title={isStaff ? t`No link was shared` : t`Only administrators can add videos`}
      action={
        <Link to="/" className={buttonClass('primary')}>
          <Trans>Go home</Trans>
        </Link>
      }
    >
      {isStaff ? t`Share a link to a video, channel or playlist.` : t`Ask an administrator to add it.`}
    </EmptyState>
  );
}
