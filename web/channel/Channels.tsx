import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconBroadcast } from '@tabler/icons-react';
import type { ChannelSort } from '#contract/channel.ts';
import { LazyAddBox } from '#web/add/LazyAddBox.tsx';
import { ChannelCard } from '#web/subscription/ChannelCard.tsx';
import { Select } from '#web/ui/Field.tsx';
import { SearchInput } from '#web/ui/SearchInput.tsx';
import { useQueryParams } from '#web/ui/use-search-params.ts';
import { useTitle } from '#web/ui/use-title.ts';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { EmptyState } from '#web/ui/Callout.tsx';
import { Pager, usePage, usePageKeys, useExistingPage } from '#web/ui/Pager.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { SourceFilter } from '#web/ui/SourceFilter.tsx';
import { useConfig, useIsStaff, useSaveConfig } from '#web/api/account.ts';
import { ViewChoice } from '#web/video/list-view/ViewChoice.tsx';
import { channelList } from '#web/api/queries/channel.ts';
import { tagsQuery } from '#web/api/queries/tag.ts';
import styles from './Channels.module.css';

const ChannelsSkeleton = ({ isList }: { isList: boolean }) => (
  <ul className={isList ? styles.list : styles.grid} aria-hidden>
    {Array.from({ length: 6 }, (_, index) => (
      <li key={index}>
        <Skeleton height={106} />
      </li>
    ))}
  </ul>
);

const sorts: Record<ChannelSort, MessageDescriptor> = {
  name: msg`By name`,
  unwatched: msg`Most unwatched`,
  videos: msg`Most videos`,
  added: msg`Newest first`,
};
const isSort = (text: string | null): text is ChannelSort => text !== null && Object.hasOwn(sorts, text);

/** Name and order of the listed channels, from the address. */
function useChannelFilter() {
  const [search, setParams] = useQueryParams();
  const sort = search.get('sort');
  const set = (changes: { q?: string | null; sort?: string; tag?: string }) =>
    setParams({ ...changes, page: null }, { replace: true });
  return { q: search.get('q') ?? '', tag: search.get('tag') ?? '', sort: isSort(sort) ? sort : 'name', set } as const;
}

function NameAndSort() {
  const { t } = useLingui();
  const { q, tag, sort, set } = useChannelFilter();
  const { data: tags = [] } = useQuery(tagsQuery);
  const names = tags.filter(({ channels }) => channels > 0).map(({ name }) => name);
  const choices = tag && !names.includes(tag) ? [...names, tag] : names;
  return (
    <>
      <SearchInput className={styles.search} label={t`Filter by name`} value={q} onChange={(words) => set({ q: words })} />
      <Select
        label={t`Sort by`}
        isLabelHidden
        choices={Object.entries(sorts).map(([value, label]) => ({ value, label: t(label) }))}
        value={sort}
        onChange={(event) => set({ sort: event.target.value === 'name' ? '' : event.target.value })}
      />
      {choices.length > 0 && (
        <Select
          label={t`Your tag`}
          isLabelHidden
          choices={[{ value: '', label: t`All tags` }, ...choices.map((name) => ({ value: name, label: name }))]}
          value={tag}
          onChange={(event) => set({ tag: event.target.value })}
        />
      )}
    </>
  );
}

function ChannelResults() {
  const { t } = useLingui();
  const [page, setPage] = usePage();
  const config = useConfig();
  const subscribedOnly = config?.show_subed_only ?? null;
  const filter = subscribedOnly === null ? undefined : subscribedOnly ? ('subscribed' as const) : ('unsubscribed' as const);
  const isStaff = useIsStaff();
  const isList = config?.view_style_channel !== 'grid';
  const { q, tag, sort } = useChannelFilter();
  const query = useQuery({
    ...channelList(page, { filter, q: q || undefined, own_tag: tag || undefined, sort }),
    enabled: config !== undefined,
  });
  useExistingPage(query);
  usePageKeys({
    page,
    total: query.data?.paginate.total_hits ?? 0,
    size: query.data?.paginate.page_size ?? 1,
    onChange: setPage,
  });
  return (
    <QueryBoundary query={query} skeleton={<ChannelsSkeleton isList={isList} />}>
      {({ data, paginate }) =>
        data.length === 0 ? (
          <EmptyState icon={<IconBroadcast />} title={t`No channels found...`}>
            {filter || q || tag
              ? t`No channels match this filter.`
              : isStaff
                ? t`Subscribe to a channel, or download one of its videos, and it appears here.`
                : t`Channels appear here once their first video is archived.`}
          </EmptyState>
        ) : (
          <>
            <ul className={isList ? styles.list : styles.grid}>
              {data.map((channel) => (
                <li key={channel.channel_id}>
                  <ChannelCard channel={channel} />
                </li>
              ))}
            </ul>
            <Pager page={page} total={paginate.total_hits} size={paginate.page_size} onChange={setPage} />
          </>
        )
      }
    </QueryBoundary>
  );
}

export function Channels() {
  const { t } = useLingui();
  useTitle(t`Channels`);
  const isStaff = useIsStaff();
  const config = useConfig();
  const { mutate: save } = useSaveConfig();
  const { set } = useChannelFilter();
  return (
    <>
      <div className={styles.heading}>
        <h1>{t`Channels`}</h1>
        <ViewChoice
          value={config?.view_style_channel === 'grid' ? 'grid' : 'list'}
          onChange={(view_style_channel) => save({ view_style_channel })}
          hasTable={false}
        />
      </div>
      {isStaff && <LazyAddBox place="channel" />}
      <div className={styles.bar}>
        <NameAndSort />
        <SourceFilter
          label={t`Filter channels`}
          names={{ all: t`All`, subscribed: t`Subscribed only`, unsubscribed: t`Unsubscribed only` }}
          value={config?.show_subed_only ?? null}
          onChange={(show_subed_only) => {
            save({ show_subed_only });
            set({});
          }}
        />
      </div>
      <ChannelResults />
    </>
  );
}
