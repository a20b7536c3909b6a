import { Trans, useLingui } from '@lingui/react/macro';
import { IconMoodSad } from '@tabler/icons-react';
import { useRouteError } from 'react-router';
import { Button } from '#web/ui/Button.tsx';
import { Empty } from '#web/ui/Note.tsx';
import { useTitle } from './title.ts';

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
