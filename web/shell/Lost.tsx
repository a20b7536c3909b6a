import { Trans, useLingui } from '@lingui/react/macro';
import { IconMapQuestion, IconMoodSad } from '@tabler/icons-react';
import { Link, useRouteError } from 'react-router';
import { Button, buttonClass } from '#web/ui/Button.tsx';
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

/** A page that broke. */
export function Oops() {
  const { t } = useLingui();
  useTitle(t`Oops`);
  const error = useRouteError();
  return (
    <main>
      <Empty
        icon={<IconMoodSad />}
        title={t`Oops! Sorry, an unexpected error has occurred.`}
        action={
          <Button kind="primary" onClick={() => location.reload()}>
            <Trans>Load it again</Trans>
          </Button>
        }
      >
        <Trans>This page could not be shown. Nothing in the archive is lost.</Trans> {error instanceof Error ? error.message : ''}
      </Empty>
    </main>
  );
}
