import { IconMapQuestion, IconMoodSad } from '@tabler/icons-react';
import { Link, useRouteError } from 'react-router';
import { Button, buttonClass } from '#web/ui/Button.tsx';
import { Empty } from '#web/ui/Note.tsx';
import { useTitle } from './title.ts';

const goHome = (
  <Link to="/" className={buttonClass('primary')}>
    Go home
  </Link>
);

/** No page has this address. */
export function NotFound({ what = 'There is no such page' }: { what?: string }) {
  useTitle('Not found');
  return (
    <Empty icon={<IconMapQuestion />} title={what} action={goHome}>
      The address may be mistyped, or what was here has been removed.
    </Empty>
  );
}

/** A page that broke. */
export function Oops() {
  useTitle('Oops');
  const error = useRouteError();
  return (
    <main>
      <Empty
        icon={<IconMoodSad />}
        title="Oops"
        action={
          <Button kind="primary" onClick={() => location.reload()}>
            Load it again
          </Button>
        }
      >
        This page could not be shown. Nothing in the archive is lost. {error instanceof Error ? error.message : ''}
      </Empty>
    </main>
  );
}
