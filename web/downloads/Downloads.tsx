import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconDownload, IconEyeOff, IconPlayerPlayFilled } from '@tabler/icons-react';
import { exactText } from '#web/format/numbers.ts';
import { AddBox } from '#web/add/AddBox.tsx';
import { useTitle } from '#web/ui/use-title.ts';
import { Button } from '#web/ui/Button.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { EmptyState } from '#web/ui/Callout.tsx';
import { Pager, usePage, useExistingPage } from '#web/ui/Pager.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { StaffOnly } from '#web/ui/StaffOnly.tsx';
import { accountQuery, useIsStaff } from '#web/api/account.ts';
import { AllActions } from './AllActions.tsx';
import { toApiFilter, useFilter, type Filter } from './filter.ts';
import { LastScan } from './LastScan.tsx';
import { QueueProgress } from './QueueProgress.tsx';
import { queueQuery, useNotices, useStartTask } from '#web/api/queries/download.ts';
import { SiteCooldowns } from './SiteCooldowns.tsx';
import { QueueCard } from './QueueCard.tsx';
import { QueueControls } from './QueueControls.tsx';
import { PauseButton } from '#web/tasks/TaskButtons.tsx';
import { isDownloadRun, isStopping } from '#web/tasks/task-notice.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { WaitingNote } from './WaitingNote.tsx';
import styles from './Downloads.module.css';

const NoStreams = lazyComponent(async () => (await import('./NoStreams.tsx')).NoStreams);

const countLimit = 10_000;
const totalText = (total: number) => (total >= countLimit ? `${exactText(countLimit)}+` : exactText(total));

const QueueSkeleton = () => (
  <ul className={styles.list} aria-hidden>
    {Array.from({ length: 4 }, (_, index) => (
      <li key={index}>
        <Skeleton height={112} />
      </li>
    ))}
  </ul>
);

/** Starts the downloads, or pauses and resumes their run. */
function StartButton() {
  const { t } = useLingui();
  const start = useStartTask();
  const run = useNotices().find(isDownloadRun);
  if (run && !isStopping(run)) return <PauseButton notice={run} size="m" />;
  return (
    <Button
      icon={<IconPlayerPlayFilled aria-hidden />}
      isBusy={start.isPending}
      disabled={run !== undefined}
      onClick={() => start.mutate('download_pending')}
    >
      {run ? t`Stopping…` : t`Start downloading`}
    </Button>
  );
}

function EmptyQueue({ isFiltered, list }: { isFiltered: boolean; list: Filter['list'] }) {
  const { t } = useLingui();
  const isIgnored = list === 'ignored';
  const icon = isIgnored ? <IconEyeOff /> : <IconDownload />;
  if (isFiltered)
    return (
      <EmptyState icon={icon} title={t`No matches`}>
        {t`No items match these filters.`}
      </EmptyState>
    );
  if (list === 'live') return <NoStreams />;
  return (
    <EmptyState icon={icon} title={isIgnored ? t`No ignored videos` : t`The queue is empty`}>
      {isIgnored ? t`Ignored videos are skipped by scans.` : t`Paste a link above. Waiting and failed downloads are listed here.`}
    </EmptyState>
  );
}

function Queue() {
  const { t } = useLingui();
  const [filter, set] = useFilter();
  const [page, setPage] = usePage();
  const apiFilter = toApiFilter(filter);
  const { list } = filter;
  const query = useQuery(queueQuery({ ...apiFilter, ...(list === 'live' && { live: true }), page: page || undefined }));
  useExistingPage(query);
  const total = query.data?.paginate.total_hits ?? 0;
  const isFiltered = Boolean(filter.channel || filter.kind || filter.error !== undefined || filter.q);
  return (
    <section className={styles.section} aria-labelledby="queue">
      <div className={styles.head}>
        <h2 id="queue">
          {list === 'ignored' ? t`Ignored` : list === 'live' ? t`Live` : t`Queue`}{' '}
          {query.data && <span className={`${styles.total} number`}>{totalText(total)}</span>}
        </h2>
        <QueueControls filter={filter} set={set} />
      </div>
      {total > 0 && list !== 'live' && <AllActions some={apiFilter} total={total} />}
      <QueryBoundary query={query} skeleton={<QueueSkeleton />}>
        {({ data, paginate }) =>
          data.length === 0 ? (
            <EmptyQueue isFiltered={isFiltered} list={list} />
          ) : (
            <>
              <ul className={styles.list}>
                {data.map((item) => (
                  <li key={item.youtube_id}>
                    <QueueCard item={item} />
                  </li>
                ))}
              </ul>
              <Pager page={page} total={paginate.total_hits} size={paginate.page_size} onChange={setPage} />
            </>
          )
        }
      </QueryBoundary>
    </section>
  );
}

/** Downloads page: the form that adds links, and the queue with waiting, running and failed items. */
export function Downloads() {
  const { t } = useLingui();
  useTitle(t`Downloads`);
  const account = useQuery(accountQuery);
  const isStaff = useIsStaff();
  if (account.isPending) return <QueueSkeleton />;
  if (!isStaff) return <StaffOnly />;
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1>
          <Trans>Downloads</Trans>
        </h1>
        <StartButton />
      </div>
      <AddBox />
      <QueueProgress />
      <SiteCooldowns />
      <WaitingNote />
      <LastScan />
      <Queue />
    </div>
  );
}
