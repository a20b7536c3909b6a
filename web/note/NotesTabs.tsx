import { useLingui } from '@lingui/react/macro';
import { Tabs } from '#web/ui/Tabs.tsx';

/** What a user has marked in videos. */
export function NotesTabs() {
  const { t } = useLingui();
  return (
    <Tabs
      label={t`Notes and clips`}
      tabs={[
        { to: '/notes/', name: t`Notes` },
        { to: '/notes/clips/', name: t`Clips` },
      ]}
    />
  );
}
