import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useShowsHelp } from '#web/user/queries.ts';
import { NotifyTargets } from './NotifyTargets.tsx';
import { OneSchedule } from './OneSchedule.tsx';
import { Section } from './Section.tsx';
import styles from './Schedules.module.css';
import cards from './Settings.module.css';
import { scheduled } from './tasks.ts';

/** What runs by itself, when, and who hears of it. */
export function Schedules() {
  const { t } = useLingui();
  const withHelp = useShowsHelp();
  const query = useQuery({
    queryKey: ['task', 'schedules'],
    queryFn: ({ signal }) => call('GET /api/task/schedule/', { signal }),
  });
  return (
    <div className={cards.cards}>
      <Section id="schedules" title={t`What runs by itself`}>
        {withHelp && (
          <div className={cards.muted}>
            <p>
              <Trans>
                Like cron: minute, hour and day of the week. “0 8 *” is every day at eight, “30 20 1-5” half past eight in the
                evening on workdays, 0 is Sunday. “auto” takes a good time.
              </Trans>
            </p>
            <p>
              <Trans>More than once an hour is not supported.</Trans>
            </p>
          </div>
        )}
        <Loaded query={query} skeleton={<Skeleton height={400} />}>
          {(all) => (
            <ul className={styles.list}>
              {scheduled.map((task) => {
                const found = all.find((one) => one.name === task.name);
                return <OneSchedule key={task.name} task={task} found={found} />;
              })}
            </ul>
          )}
        </Loaded>
      </Section>
      <NotifyTargets />
    </div>
  );
}
