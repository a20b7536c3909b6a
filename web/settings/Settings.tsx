import { useParams } from 'react-router';
import { useTitle } from '#web/shell/title.ts';
import { Tabs } from '#web/ui/Tabs.tsx';
import { useIsStaff } from '#web/user/queries.ts';
import { ApplicationSettings } from './ApplicationSettings.tsx';
import { Health } from './Health.tsx';
import { LoginCookie } from './LoginCookie.tsx';
import { People } from './People.tsx';
import { Preferences } from './Preferences.tsx';
import { Schedules } from './Schedules.tsx';
import styles from './Settings.module.css';

/** What a person chooses for themselves, and what staff choose for everybody. */
export function SettingsPage() {
  useTitle('Settings');
  const { tab = 'user' } = useParams();
  const isStaff = useIsStaff();
  return (
    <div className={styles.page}>
      <h1>Settings</h1>
      {isStaff && (
        <Tabs
          label="Settings"
          tabs={[
            { to: '/settings/', name: 'Yours' },
            { to: '/settings/application/', name: 'Application' },
            { to: '/settings/scheduling/', name: 'Scheduling' },
            { to: '/settings/actions/', name: 'Care' },
            { to: '/settings/people/', name: 'People' },
          ]}
        />
      )}
      {isStaff && tab === 'application' && (
        <>
          <ApplicationSettings />
          <LoginCookie />
        </>
      )}
      {isStaff && tab === 'scheduling' && <Schedules />}
      {isStaff && tab === 'actions' && <Health />}
      {isStaff && tab === 'people' && <People />}
      {(!isStaff || !['application', 'scheduling', 'actions', 'people'].includes(tab)) && <Preferences />}
    </div>
  );
}
