import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { addressOf, ApiError } from '#web/api/call.ts';
import { countText, durationText, exactText, lengthText, sizeText, subscribersText, videosText } from '#web/format/numbers.ts';
import { NotFound } from '#web/ui/NotFound.tsx';
import { useTitle } from '#web/ui/use-title.ts';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Tabs } from '#web/ui/Tabs.tsx';
import { useConfig, useIsStaff } from '#web/api/account.ts';
import { VideosSkeleton } from '#web/video/list/Videos.tsx';
import { ListMenu } from '#web/sharing/ListMenu.tsx';
import { pathOfChannel } from '#web/api/paths.ts';
import { AboutChannel } from './AboutChannel.tsx';
import { Avatar } from '#web/subscription/Avatar.tsx';
import { ChannelPlaylists } from './ChannelPlaylists.tsx';
import { ChannelVideos } from './ChannelVideos.tsx';
import { channelParts, channelQuery, channelSums, changeSubscription } from '#web/api/queries/channel.ts';
import { SubscribeButton } from '#web/subscription/Subscribe.tsx';
import styles from './ChannelPage.module.css';

const ChannelSkeleton = () => (
  <div aria-hidden>
    <div className={styles.head}>
      <Skeleton width={88} height={88} round />
      <div>
        <Skeleton width={240} height={28} />
      </div>
    </div>
    <Skeleton height={44} />
    <VideosSkeleton view="grid" count={6} />
  </div>
);

function useTabs(id: string) {
  const { t } = useLingui();
  const isStaff = useIsStaff();
  const { data: parts } = useQuery(channelParts(id));
  const at = pathOfChannel(id);
  const queue = `/downloads/?channel=${encodeURIComponent(id)}`;
  return [
    { to: at, name: t`Videos` },
    ...(parts?.has_streams ? [{ to: `${at}streams/`, name: t`Streams` }] : []),
    ...(parts?.has_shorts ? [{ to: `${at}shorts/`, name: t`Shorts` }] : []),
    ...(parts?.has_playlists ? [{ to: `${at}playlist/`, name: t`Playlists` }] : []),
    { to: `${at}about/`, name: t`About` },
    ...(isStaff && parts?.has_pending ? [{ to: queue, name: t`Downloads` }] : []),
    ...(isStaff && parts?.has_ignored ? [{ to: `${queue}&ignored=true`, name: t`Ignored` }] : []),
  ];
}

/** Number, length and size of the archived videos of a channel, of all types. */
function Totals({ id }: { id: string }) {
  const { data } = useQuery(channelSums(id));
  const unit = useConfig()?.file_size_unit;
  if (!data) return <Skeleton width={220} height={20} />;
  const { total_items: items, total_duration: duration, total_size: size } = data;
  return (
    <p className={styles.totals}>
      <span title={exactText(items.value)}>{items.value < 1_000_000 ? videosText(items.value) : countText(items.value)}</span>
      <span title={durationText(duration.value)}>{lengthText(duration.value)}</span>
      <span title={exactText(size.value)}>{sizeText(size.value, unit)}</span>
    </p>
  );
}

/** Page of one channel with its tabs. */
export function ChannelPage() {
  const { t } = useLingui();
  const { channelId = '', tab = '' } = useParams();
  const query = useQuery(channelQuery(channelId));
  const isStaff = useIsStaff();
  const tabs = useTabs(channelId);
  const parts: Record<string, string> = { streams: t`Streams`, shorts: t`Shorts`, playlist: t`Playlists`, about: t`About` };
  useTitle(query.data && [parts[tab], query.data.channel_name].filter(Boolean).join(' · '));
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound what={t`Channel not found!`} />;
  if (!['', 'streams', 'shorts', 'playlist', 'about'].includes(tab)) return <NotFound />;
  return (
    <QueryBoundary query={query} skeleton={<ChannelSkeleton />}>
      {(channel) => (
        <>
          {channel.channel_art.includes('banner') && (
            <img className={styles.banner} src={addressOf(channel.channel_banner_url)} alt="" />
          )}
          <header className={styles.head}>
            <Avatar channel={channel} size={88} />
            <div>
              <h1>
                <bdi>{channel.channel_name}</bdi>
              </h1>
              <p>
                {channel.channel_subs > 0 && (
                  <span title={exactText(channel.channel_subs)}>{subscribersText(channel.channel_subs)}</span>
                )}
                {!channel.channel_active && <span className={styles.unavailable}>{t`Deactivated`}</span>}
              </p>
              <Totals id={channelId} />
            </div>
            {isStaff && (
              <SubscribeButton
                topic="channel"
                name={channel.channel_name}
                isSubscribed={channel.channel_subscribed}
                change={(subscription, confirm) => changeSubscription(channelId, subscription, confirm)}
              />
            )}
            <ListMenu list={{ type: 'channel', id: channelId }} name={channel.channel_name} />
          </header>
          <Tabs label={t`Channel`} tabs={tabs} />
          {tab === '' && <ChannelVideos id={channelId} type="videos" />}
          {(tab === 'streams' || tab === 'shorts') && <ChannelVideos key={tab} id={channelId} type={tab} />}
          {tab === 'playlist' && <ChannelPlaylists id={channelId} />}
          {tab === 'about' && <AboutChannel channel={channel} />}
        </>
      )}
    </QueryBoundary>
  );
}
