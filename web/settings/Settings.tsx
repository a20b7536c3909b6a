import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import { lazy, Suspense, type ComponentType } from 'react';
import { useParams } from 'react-router';
import { NotFound } from '#web/shell/Lost.tsx';
import { useTitle } from '#web/shell/title.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Tabs } from '#web/ui/Tabs.tsx';
import { useIsStaff } from '#web/user/queries.ts';
import styles from './Settings.module.css';

interface Part {
  /** Below /settings/; the first one is that itself. */
  tab: string;
  name: MessageDescriptor;
  isForStaff: boolean;
  isWide?: true;
  Part: ComponentType;
}

// Each part is fetched when it is gone to.
const parts: Part[] = [
  {
    tab: '',
    name: msg`Dashboard`,
    isForStaff: false,
    isWide: true,
    Part: lazy(async () => ({ default: (await import('#web/dashboard/Dashboard.tsx')).Dashboard })),
  },
  {
    tab: 'user',
    name: msg`User`,
    isForStaff: false,
    Part: lazy(async () => ({ default: (await import('./Preferences.tsx')).Preferences })),
  },
  {
    tab: 'application',
    name: msg`Application`,
    isForStaff: true,
    Part: lazy(async () => ({ default: (await import('./ApplicationSettings.tsx')).ApplicationSettings })),
  },
  {
    tab: 'scheduling',
    name: msg`Scheduling`,
    isForStaff: true,
    Part: lazy(async () => ({ default: (await import('./Schedules.tsx')).Schedules })),
  },
  {
    tab: 'actions',
    name: msg`Actions`,
    isForStaff: true,
    Part: lazy(async () => ({ default: (await import('./Actions.tsx')).Actions })),
  },
  {
    tab: 'health',
    name: msg`Health`,
    isForStaff: true,
    Part: lazy(async () => ({ default: (await import('./Health.tsx')).Health })),
  },
  {
    tab: 'runs',
    name: msg`Runs`,
    isForStaff: true,
    Part: lazy(async () => ({ default: (await import('#web/runs/Runs.tsx')).Runs })),
  },
  {
    tab: 'bin',
    name: msg`Bin`,
    isForStaff: true,
    Part: lazy(async () => ({ default: (await import('#web/bin/Bin.tsx')).Bin })),
  },
  {
    tab: 'people',
    name: msg`People`,
    isForStaff: true,
    Part: lazy(async () => ({ default: (await import('./People.tsx')).People })),
  },
];

/** What there is, what a person chooses for themselves, and what staff choose for everybody. */
export function SettingsPage() {
  const { tab = '' } = useParams();
  const isStaff = useIsStaff();
  const own = parts.filter(({ isForStaff }) => isStaff || !isForStaff);
  const part = own.find((one) => one.tab === tab);
  if (!part) return <NotFound />;
  return <OneTab own={own} part={part} />;
}

function OneTab({ own, part }: { own: Part[]; part: Part }) {
  const { t } = useLingui();
  useTitle(part.tab === '' ? t`Your Archive` : `${t(part.name)} · ${t`Settings`}`);
  return (
    <div className={styles.page}>
      <h1>{t`Settings`}</h1>
      <Tabs
        label={t`Settings`}
        tabs={own.map(({ tab: path, name }) => ({ to: path ? `/settings/${path}/` : '/settings/', name: t(name) }))}
      />
      <div className={part.isWide ? undefined : styles.narrow}>
        <Suspense fallback={<Skeleton height={400} />}>
          <part.Part />
        </Suspense>
      </div>
    </div>
  );
}
