import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconBroadcast } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';
import type { Channel } from '#contract/channel.ts';
import { TaskNotices } from '#web/downloads/TaskNotices.tsx';
import { subscribersText } from '#web/format/numbers.ts';
import { useTitle } from '#web/shell/title.ts';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Empty } from '#web/ui/Note.tsx';
import { Pager, usePage, usePageKeys } from '#web/ui/Pager.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { SourceFilter } from '#web/ui/SourceFilter.tsx';
import { useConfig, useIsStaff, useSaveConfig } from '#web/user/queries.ts';
import { pathOfChannel } from '#web/video/paths.ts';
import { ViewChoice } from '#web/video/ViewChoice.tsx';
import { Avatar } from './Avatar.tsx';
import { channelList, subscribeTo } from './queries.ts';
import { SubscribeButton, SubscribeToChannels } from './Subscribe.tsx';
import styles from './Channels.module.css';

const Ghost = ({ isList }: { isList: boolean }) => (
  <ul className={isList ? styles.list : styles.grid} aria-hidden>
    {Array.from({ length: 6 }, (_, place) => (
      <li key={place}>
        <Skeleton height={106} />
      </li>
    ))}
  </ul>
);

/** A channel in a list, with what staff may do to it. */
export function ChannelCard({ channel }: { channel: Channel }) {
  const { t } = useLingui();
  const isStaff = useIsStaff();
  const { channel_id: id, channel_subs: subs, channel_subscribed: isSubscribed } = channel;
  const facts = [subs > 0 && subscribersText(subs), isSubscribed && t`subscribed`].filter(Boolean).join(' · ');
  return (
    <div className={styles.card}>
      <Link to={pathOfChannel(id)} className={styles.main}>
        <Avatar channel={channel} size={72} />
        <span className={styles.words}>
          <strong>
            <bdi>{channel.channel_name}</bdi>
          </strong>
          {facts && <span>{facts}</span>}
          {channel.channel_description && (
            <span className={styles.description} dir="auto">
              {channel.channel_description}
            </span>
          )}
        </span>
      </Link>
      {isStaff && (
        <SubscribeButton
          room="channel"
          size="s"
          isSubscribed={isSubscribed}
          change={(isWanted, confirm) => subscribeTo(id, isWanted, confirm)}
        />
      )}
    </div>
  );
}

function Listed() {
  const { t } = useLingui();
  const [page, setPage] = usePage();
  const config = useConfig();
  const wanted = config?.show_subed_only ?? null;
  const filter = wanted === null ? undefined : wanted ? ('subscribed' as const) : ('unsubscribed' as const);
  const isStaff = useIsStaff();
  const isList = config?.view_style_channel !== 'grid';
  const query = useQuery({ ...channelList(page, filter), enabled: config !== undefined });
  usePageKeys({
    page,
    total: query.data?.paginate.total_hits ?? 0,
    size: query.data?.paginate.page_size ?? 1,
    onChange: setPage,
  });
  return (
    <Loaded query={query} skeleton={<Ghost isList={isList} />}>
      {({ data, paginate }) =>
        data.length === 0 ? (
          <Empty icon={<IconBroadcast />} title={t`No channels found...`}>
            {filter
              ? t`None of that kind. Choose “All” above to see every channel.`
              : isStaff
                ? t`A channel appears here when you subscribe to it, or with the first of its videos.`
                : t`A channel appears here with the first of its videos.`}
          </Empty>
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
    </Loaded>
  );
}

/** Every channel the archive has something of. */
export function Channels() {
  const { t } = useLingui();
  useTitle(t`Channels`);
  const isStaff = useIsStaff();
  const config = useConfig();
  const { mutate: save } = useSaveConfig();
  const [, setSearch] = useSearchParams();
  return (
    <>
      <h1 className={styles.heading}>{t`Channels`}</h1>
      {isStaff && <SubscribeToChannels />}
      <TaskNotices />
      <div className={styles.bar}>
        <SourceFilter
          label={t`Which channels`}
          names={{ all: t`All`, subscribed: t`Subscribed only`, unsubscribed: t`Unsubscribed only` }}
          value={config?.show_subed_only ?? null}
          onChange={(show_subed_only) => {
            save({ show_subed_only });
            setSearch({}, { replace: true });
          }}
        />
        <ViewChoice
          value={config?.view_style_channel === 'grid' ? 'grid' : 'list'}
          onChange={(view_style_channel) => save({ view_style_channel })}
          hasTable={false}
        />
      </div>
      <Listed />
    </>
  );
}
