import { Trans, useLingui } from '@lingui/react/macro';
import { IconMapQuestion } from '@tabler/icons-react';
import { Link } from 'react-router';
import { buttonClass } from '#web/ui/Button.tsx';
import { Empty } from '#web/ui/Note.tsx';
import { useTitle } from './title.ts';

/** No page has this address. */
export function NotFound({ what, goHome }: { what?: string; goHome?: string }) {
  const { t } = useLingui();
  useTitle(t`Not found`);
  return (
    <Empty
      icon={<IconMapQuestion />}
      title={what ?? t`There is no such page`}
      action={
        <Link to="/" className={buttonClass('primary')}>
          {goHome ?? t`Go home`}
        </Link>
      }
    >
      <Trans>The address may be mistyped, or what was here has been removed.</Trans>
    </Empty>
  );
}
