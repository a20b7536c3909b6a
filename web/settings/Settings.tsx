import { Trans, useLingui } from '@lingui/react/macro';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, Navigate, useLocation, useParams } from 'react-router';
import { useIsStaff } from '#web/api/account.ts';
import { NotFound } from '#web/ui/NotFound.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { StaffOnly } from '#web/ui/StaffOnly.tsx';
import { useIsPhone } from '#web/ui/use-media-query.ts';
import { useTitle } from '#web/ui/use-title.ts';
import { PageName } from '#web/setting-fields/page-name.ts';
import { pageContent } from './page-content.tsx';
import { findMovedAnchor, findPage } from '#web/settings-pages/settings-pages.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { SettingsNavigation } from './SettingsNavigation.tsx';
import styles from './Settings.module.css';

const Dashboard = lazyComponent(async () => (await import('#web/dashboard/Dashboard.tsx')).Dashboard);

/** Addresses of earlier versions. */
const movedPages: Record<string, string> = {
  runs: '/settings/scheduling/history/',
  people: '/settings/health/users/',
  bin: '/trash/',
};

const BackLink = () => (
  <Link to="/settings/" className={styles.back}>
    <IconArrowLeft aria-hidden /> <Trans>Settings</Trans>
  </Link>
);

/** The dashboard. On phones the index of the settings, from where `#dashboard` opens it. */
function Start() {
  const { t } = useLingui();
  const isPhone = useIsPhone();
  const { hash } = useLocation();
  const isIndex = isPhone && hash !== '#dashboard';
  useTitle(isIndex ? t`Settings` : t`Your archive`);
  if (isIndex) return <SettingsNavigation isIndex />;
  return (
    <div className={styles.start}>
      {isPhone && <BackLink />}
      <h1 className="hidden">{t`Dashboard`}</h1>
      <Dashboard fallback={<Skeleton height={400} />} />
    </div>
  );
}

/** A page with the navigation of all settings; on phones a link leads back to the index. */
function PageWithNavigation({ path, name, group }: { path: string; name: string; group: string }) {
  const { t } = useLingui();
  const isPhone = useIsPhone();
  useTitle(`${name} · ${t`Settings`}`);
  const Content = pageContent[path]!;
  return (
    <div className={styles.page}>
      {!isPhone && <SettingsNavigation />}
      <div className={styles.content}>
        <header className={styles.pageHead}>
          {isPhone && <BackLink />}
          <p>{group}</p>
          <h1>{name}</h1>
        </header>
        <PageName value={name}>
          <Content key={path} fallback={<Skeleton height={400} />} />
        </PageName>
      </div>
    </div>
  );
}

export function SettingsPage() {
  const { t } = useLingui();
  const { group = '', page = '' } = useParams();
  const { search, hash } = useLocation();
  const isStaff = useIsStaff();
  const path = [group, page].filter(Boolean).join('/');
  if (path === '') return <Start />;
  const moved = movedPages[path];
  if (moved) return <Navigate to={{ pathname: moved, search, hash }} replace />;
  const found = findPage(path);
  if (!found) return <NotFound />;
  if (found.group.isForStaff && !isStaff) return <StaffOnly />;
  const movedAnchor = hash ? findMovedAnchor(path, hash.slice(1)) : undefined;
  if (movedAnchor) return <Navigate to={{ pathname: `/settings/${movedAnchor}/`, search, hash }} replace />;
  return <PageWithNavigation path={path} name={t(found.page.name)} group={t(found.group.name)} />;
}
