import { useQuery } from '@tanstack/react-query';
import { IconDownload, IconEyeOff, IconPlayerPlayFilled } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import { useTitle } from '#web/shell/title.ts';
import { Button } from '#web/ui/Button.tsx';
import { Choices } from '#web/ui/Choices.tsx';
import { Select } from '#web/ui/Field.tsx';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Empty, Note } from '#web/ui/Note.tsx';
import { Pager, usePage } from '#web/ui/Pager.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useIsStaff } from '#web/user/queries.ts';
import { AddBox } from './AddBox.tsx';
import { AllActions } from './AllActions.tsx';
import { channelsInQueue, queueQuery, useNotices, useStart } from './queries.ts';
import { Pauses } from './Pauses.tsx';
import { QueueCard } from './QueueCard.tsx';
import { TaskNotices } from './TaskNotices.tsx';
import styles from './Downloads.module.css';

const kinds = [
  { value: '', label: 'Every kind' },
  { value: 'videos', label: 'Videos' },
  { value: 'shorts', label: 'Shorts' },
  { value: 'streams', label: 'Streams' },
];
const states = [
  { value: '', label: 'All' },
  { value: 'true', label: 'Failed' },
  { value: 'false', label: 'Waiting' },
];

/** The filters, as they stand in the address. */
function useFilter() {
  const [search, setSearch] = useSearchParams();
  const set = (name: string, value: string) =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      if (value) after.set(name, value);
      else after.delete(name);
      after.delete('page');
      return after;
    });
  const kind = (['videos', 'shorts', 'streams'] as const).find((one) => one === search.get('vid-type'));
  const error = search.get('error');
  return {
    set,
    isIgnored: search.get('ignored') === 'true',
    channel: search.get('channel') ?? '',
    kind,
    error: error === 'true' ? true : error === 'false' ? false : undefined,
  };
}

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
  const start = useStart();
  const isRunning = useNotices().some((notice) => notice.group === 'download:run' && notice.api_stop);
  return (
    <Button
      icon={<IconPlayerPlayFilled aria-hidden />}
      isBusy={start.isPending}
      disabled={isRunning}
      onClick={() => start.mutate('download_pending')}
    >
      {isRunning ? 'Downloading' : 'Start downloading'}
    </Button>
  );
}

function Queue() {
  const { isIgnored, channel, kind, error, set } = useFilter();
  const [page, setPage] = usePage();
  const filter = isIgnored ? ('ignore' as const) : ('pending' as const);
  const some = { filter, ...(channel && { channel }), ...(kind && { vid_type: kind }), ...(error !== undefined && { error }) };
  const query = useQuery(queueQuery({ ...some, page: page || undefined }));
  const { data: channels } = useQuery(channelsInQueue(filter));
  const isFiltered = Boolean(channel || kind || error !== undefined);
  const total = query.data?.paginate.total_hits ?? 0;
  return (
    <section className={styles.section} aria-labelledby="queue">
      <div className={styles.head}>
        <h2 id="queue">
          {isIgnored ? 'Ignored' : 'Queue'}{' '}
          {query.data && <span className={`${styles.total} number`}>{total.toLocaleString('en')}</span>}
        </h2>
        <div className={styles.controls}>
          <Choices
            label="List"
            choices={[
              { value: 'queue', label: 'Queue' },
              { value: 'ignored', label: 'Ignored' },
            ]}
            value={isIgnored ? 'ignored' : 'queue'}
            onChange={(value) => set('ignored', value === 'ignored' ? 'true' : '')}
          />
          {!isIgnored && (
            <Select
              label="State"
              isLabelHidden
              choices={states}
              value={error === undefined ? '' : String(error)}
              onChange={(event) => set('error', event.target.value)}
            />
          )}
          <Select
            label="Kind"
            isLabelHidden
            choices={kinds}
            value={kind ?? ''}
            onChange={(event) => set('vid-type', event.target.value)}
          />
          <Select
            label="Channel"
            isLabelHidden
            choices={[
              { value: '', label: 'Every channel' },
              ...(channels?.buckets.map(({ key: [name = '', id = ''], doc_count: count }) => ({
                value: id,
                label: `${name || 'Unknown'} (${count})`,
              })) ?? []),
            ]}
            value={channel}
            onChange={(event) => set('channel', event.target.value)}
          />
        </div>
      </div>
      {total > 0 && <AllActions some={some} total={total} />}
      <Loaded query={query} skeleton={<Ghost />}>
        {({ data, paginate }) =>
          data.length === 0 ? (
            <Empty
              icon={isIgnored ? <IconEyeOff /> : <IconDownload />}
              title={isFiltered ? 'Nothing like that' : isIgnored ? 'Nothing is ignored' : 'The queue is empty'}
            >
              {isFiltered
                ? 'Nothing in this list matches what is chosen above.'
                : isIgnored
                  ? 'What is ignored here is not added again when its channel or playlist is.'
                  : 'Paste a link above. What is waiting and what could not be fetched is listed here.'}
            </Empty>
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
  useTitle('Downloads');
  const isStaff = useIsStaff();
  if (!isStaff) return <Note kind="danger">Only staff may see the queue.</Note>;
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1>Downloads</h1>
        <Start />
      </div>
      <AddBox />
      <TaskNotices />
      <Pauses />
      <Queue />
    </div>
  );
}
