import { Trans, useLingui } from '@lingui/react/macro';
import { IconMapQuestion } from '@tabler/icons-react';
import { Link } from 'react-router';
import { buttonClass } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/Callout.tsx';
import { useTitle } from './use-title.ts';

/** 404 page. */
export function NotFound({ what, goHome }: { what?: string; goHome?: string }) {
  const { t } = useLingui();
  useTitle(t`Not found`);
  return (
    <EmptyState
      isPage
      icon={<IconMapQuestion />}
      title={what ?? t`Page not found`}
      action={
        <Link to="/" className={buttonClass('primary')}>
          {goHome ?? t`Go home`}
        </Link>
      }
    >
      <Trans>Check the address. The page may have been moved or removed.</Trans>
    </EmptyState>
  );
}
