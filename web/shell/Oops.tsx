import { Trans, useLingui } from '@lingui/react/macro';
import { IconMoodSad } from '@tabler/icons-react';
import { useRouteError } from 'react-router';
import { Button } from '#web/ui/Button.tsx';
import { Empty } from '#web/ui/Note.tsx';
import { useTitle } from './title.ts';

// Parts of the app that could not be fetched; the errors themselves say so in a browser's words.
const notFetched = new WeakSet<Error>();
addEventListener('vite:preloadError', ({ payload }) => notFetched.add(payload));

/** A page that broke, among those that did not. */
export function PageOops() {
  const { t } = useLingui();
  const error = useRouteError();
  const isNotFetched = error instanceof Error && notFetched.has(error);
  const title = isNotFetched ? t`This page could not be fetched` : t`Oops! Sorry, an unexpected error has occurred.`;
  useTitle(isNotFetched ? title : t`Oops`);
  return (
    <Empty
      icon={<IconMoodSad />}
      title={title}
      action={
        <Button kind="primary" onClick={() => location.reload()}>
          <Trans>Load it again</Trans>
        </Button>
      }
    >
      {isNotFetched ? (
        <Trans>This device is offline, the server is off, or a newer version runs there. Nothing in the archive is lost.</Trans>
      ) : (
        <>
          <Trans>This page could not be shown. Nothing in the archive is lost.</Trans>{' '}
          {error instanceof Error ? error.message : ''}
        </>
      )}
    </Empty>
  );
}

/** All of it broke. */
export function Oops() {
  return (
    <main>
      <PageOops />
    </main>
  );
}
