import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconDownload, IconEyeOff, IconPlayerPlayFilled } from '@tabler/icons-react';
import { exactText } from '#web/format/numbers.ts';
import { useTitle } from '#web/shell/title.ts';
import { Button } from '#web/ui/Button.tsx';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Empty, Note } from '#web/ui/Note.tsx';
import { Pager, usePage } from '#web/ui/Pager.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { accountQuery, useIsStaff } from '#web/user/queries.ts';
import { AddBox } from './AddBox.tsx';
import { AllActions } from './AllActions.tsx';
import { someOf, useFilter } from './filter.ts';
import { LastScan } from './LastScan.tsx';
import { Outlook } from './Outlook.tsx';
import { queueQuery, useNotices, useStart } from './queries.ts';
import { Pauses } from './Pauses.tsx';
import { QueueCard } from './QueueCard.tsx';
import { QueueControls } from './QueueControls.tsx';
import { TaskNotices } from './TaskNotices.tsx';
import styles from './Downloads.module.css';

const countedTo = 10_000;
const totalText = (total: number) => (total >= countedTo ? `${exactText(countedTo)}+` : exactText(total));

const Ghost = () => (
  <ul className={styles.list} aria-hidden>
    {Array.from({ length: 4 }, (_, place) => (
      <li key={place}>
        <Skeleton height={112} />
      </li>
    ))}
  </ul>
);

function Start() {
  const { t } = useLingui();
  const start = useStart();
  const isRunning = useNotices().some((notice) => notice.group === 'download:run' && notice.api_stop);
  return (
    <Button
      icon={<IconPlayerPlayFilled aria-hidden />}
      isBusy={start.isPending}
      disabled={isRunning}
      onClick={() => start.mutate('download_pending')}
    >
      {isRunning ? t`Downloading` : t`Start downloading`}
    </Button>
  );
}

function Nothing({ isFiltered, isIgnored }: { isFiltered: boolean; isIgnored: boolean }) {
  const { t } = useLingui();
  const icon = isIgnored ? <IconEyeOff /> : <IconDownload />;
  if (isFiltered)
    return (
      <Empty icon={icon} title={t`Nothing like that`}>
        {t`Nothing in this list matches what is chosen above.`}
      </Empty>
    );
  return (
    <Empty icon={icon} title={isIgnored ? t`Nothing is ignored` : t`The queue is empty`}>
      {isIgnored
        ? t`What is ignored here is not added again when its channel or playlist is.`
        : t`Paste a link above. What is waiting and what could not be fetched is listed here.`}
    </Empty>
  );
}

function Queue() {
  const { t } = useLingui();
  const [filter, set] = useFilter();
  const [page, setPage] = usePage();
  const some = someOf(filter);
  const query = useQuery(queueQuery({ ...some, page: page || undefined }));
  const total = query.data?.paginate.total_hits ?? 0;
  const isFiltered = Boolean(filter.channel || filter.kind || filter.error !== undefined || filter.q);
  return (
    <section className={styles.section} aria-labelledby="queue">
      <div className={styles.head}>
        <h2 id="queue">
          {filter.isIgnored ? t`Ignored` : t`Queue`}{' '}
          {query.data && <span className={`${styles.total} number`}>{totalText(total)}</span>}
        </h2>
        <QueueControls filter={filter} set={set} />
      </div>
      {total > 0 && <AllActions some={some} total={total} />}
      <Loaded query={query} skeleton={<Ghost />}>
        {({ data, paginate }) =>
          data.length === 0 ? (
            <Nothing isFiltered={isFiltered} isIgnored={filter.isIgnored} />
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
      </Loaded>
    </section>
  );
}

/** Where links go in, and what waits, runs and failed. */
export function Downloads() {
  const { t } = useLingui();
  useTitle(t`Downloads`);
  const account = useQuery(accountQuery);
  const isStaff = useIsStaff();
  if (account.isPending) return <Ghost />;
  if (!isStaff)
    return (
      <Note kind="danger">
        <Trans>Only staff may see the queue.</Trans>
      </Note>
    );
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1>
          <Trans>Downloads</Trans>
        </h1>
        <Start />
      </div>
      <AddBox />
      <Outlook />
      <TaskNotices />
      <Pauses />
      <LastScan />
      <Queue />
    </div>
  );
}
