import { Trans, useLingui } from '@lingui/react/macro';
import { IconMoodSad } from '@tabler/icons-react';
import { useRouteError } from 'react-router';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/Callout.tsx';
import { useTitle } from '#web/ui/use-title.ts';

// Errors of chunks that failed to load. Their messages are browser-specific and not shown.
const preloadErrors = new WeakSet<Error>();
addEventListener('vite:preloadError', ({ payload }) => preloadErrors.add(payload));

/** Error of a single page; the navigation stays usable. */
export function PageError() {
  const { t } = useLingui();
  const error = useRouteError();
  const isPreloadError = error instanceof Error && preloadErrors.has(error);
  const title = isPreloadError ? t`This page could not be loaded` : t`Oops! Sorry, an unexpected error has occurred.`;
  useTitle(isPreloadError ? title : t`Oops`);
  return (
    <EmptyState
      icon={<IconMoodSad />}
      title={title}
      action={
        <Button kind="primary" onClick={() => location.reload()}>
          <Trans>Reload</Trans>
        </Button>
      }
    >
      {isPreloadError ? (
        <Trans>Your device is offline, the server is down, or it was updated. Your archive is safe.</Trans>
      ) : (
        <>
          <Trans>This page could not be displayed. Your archive is safe.</Trans> {error instanceof Error ? error.message : ''}
        </>
      )}
    </EmptyState>
  );
}

/** Error of the whole app. */
export function ErrorPage() {
  return (
    <main>
      <PageError />
    </main>
  );
}
