import { Trans, useLingui } from '@lingui/react/macro';
import { IconLock } from '@tabler/icons-react';
import { Link } from 'react-router';
import { buttonClass } from './Button.tsx';
import { EmptyState } from './Callout.tsx';
import { useTitle } from './use-title.ts';

/** Shown to ordinary users instead of a page for administrators. */
export function StaffOnly() {
  const { t } = useLingui();
  useTitle(t`Administrators only`);
  return (
    <EmptyState
      isPage
      icon={<IconLock />}
      title={t`This page is for administrators`}
      action={
        <Link to="/" className={buttonClass('primary')}>
          <Trans>Go home</Trans>
        </Link>
      }
    >
      <Trans>Ask an administrator to change it for you.</Trans>
    </EmptyState>
  );
}
