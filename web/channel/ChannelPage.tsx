import { useQuery } from '@tanstack/react-query';
import { IconMovie } from '@tabler/icons-react';
import { Link, useParams } from 'react-router';
import type { Channel } from '#contract/channel.ts';
import { addressOf, ApiError, call } from '#web/api/call.ts';
import { agoText, momentText } from '#web/format/dates.ts';
import { countOf, countText, exactText, lengthText, sizeText } from '#web/format/numbers.ts';
import { PlaylistGrid } from '#web/playlist/PlaylistGrid.tsx';
import { NotFound } from '#web/shell/Lost.tsx';
import { useTitle } from '#web/shell/title.ts';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Empty } from '#web/ui/Note.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Tabs } from '#web/ui/Tabs.tsx';
import { useConfig, useIsStaff, useSaveConfig } from '#web/user/queries.ts';
import { RichText } from '#web/video/RichText.tsx';
import { VideoListing } from '#web/video/VideoListing.tsx';
import { ViewChoice } from '#web/video/ViewChoice.tsx';
import { Avatar } from './Avatar.tsx';
import { channelParts, channelQuery, channelSums } from './queries.ts';
import { SubscribeButton } from './Subscribe.tsx';
import styles from './ChannelPage.module.css';

function Sums({ id }: { id: string }) {
  const { data } = useQuery(channelSums(id));
  const unit = useConfig()?.file_size_unit;
  if (!data) return <Skeleton width={220} height={14} />;
  return (
    <p className={styles.sums}>
      {countOf(data.total_items.value, 'video')} · {lengthText(data.total_duration.value)} ·{' '}
      {sizeText(data.total_size.value, unit)}
    </p>
  );
}

function ChannelVideos({ id, type }: { id: string; type: 'videos' | 'streams' | 'shorts' }) {
  const config = useConfig();
  const save = useSaveConfig();
  if (!config) return null;
  return (
    <>
      <div className={styles.bar}>
        <Sums id={id} />
        <ViewChoice value={config.view_style_channel} onChange={(view) => save.mutate({ view_style_channel: view })} />
      </div>
      <VideoListing
        filter={{ channel: id, type }}
        view={config.view_style_channel}
        empty={
          <Empty icon={<IconMovie />} title="Nothing here">
            Nothing of this kind has been archived from the channel.
          </Empty>
        }
      />
    </>
  );
}

function AboutChannel({ channel }: { channel: Channel }) {
  return (
    <div className={styles.about}>
      {channel.channel_description ? (
        <RichText text={channel.channel_description} durationSeconds={0} onSeek={() => {}} />
      ) : (
        <p className={styles.sums}>The channel says nothing about itself.</p>
      )}
      <dl>
        <div>
          <dt>Subscribers</dt>
          <dd>{exactText(channel.channel_subs)}</dd>
        </div>
        <div>
          <dt>On its site</dt>
          <dd>{channel.channel_active ? 'Active' : 'Deactivated'}</dd>
        </div>
        <div>
          <dt>Last refreshed</dt>
          <dd title={momentText(channel.channel_last_refresh)}>{agoText(channel.channel_last_refresh)}</dd>
        </div>
        <div>
          <dt>Id</dt>
          <dd>
            <code>{channel.channel_id}</code>
          </dd>
        </div>
      </dl>
      {channel.channel_tags && channel.channel_tags.length > 0 && (
        <ul className={styles.tags} aria-label="Tags">
          {channel.channel_tags.map((tag) => (
            <li key={tag}>{tag}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** One channel: its videos by kind, its playlists, and what it says of itself. */
export function ChannelPage() {
  const { channelId = '', tab = '' } = useParams();
  const query = useQuery(channelQuery(channelId));
  const { data: parts } = useQuery(channelParts(channelId));
  const isStaff = useIsStaff();
  useTitle(query.data?.channel_name);
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound what="Channel not found!" />;
  const at = `/channel/${encodeURIComponent(channelId)}/`;
  const tabs = [
    { to: at, name: 'Videos' },
    ...(parts?.has_streams ? [{ to: `${at}streams/`, name: 'Streams' }] : []),
    ...(parts?.has_shorts ? [{ to: `${at}shorts/`, name: 'Shorts' }] : []),
    ...(parts?.has_playlists ? [{ to: `${at}playlist/`, name: 'Playlists' }] : []),
    { to: `${at}about/`, name: 'About' },
  ];
  return (
    <Loaded query={query} skeleton={<Skeleton height={200} />}>
      {(channel) => (
        <>
          {channel.channel_banner_url && <img className={styles.banner} src={addressOf(channel.channel_banner_url)} alt="" />}
          <header className={styles.head}>
            <Avatar channel={channel} size={88} />
            <div>
              <h1>
                <bdi>{channel.channel_name}</bdi>
              </h1>
              {channel.channel_subs > 0 && (
                <p title={exactText(channel.channel_subs)}>{countText(channel.channel_subs)} subscribers</p>
              )}
            </div>
            {isStaff && (
              <SubscribeButton
                room="channel"
                isSubscribed={channel.channel_subscribed}
                change={(isSubscribed) =>
                  call('POST /api/channel/:id/', { params: { id: channelId }, body: { channel_subscribed: isSubscribed } })
                }
              />
            )}
          </header>
          <Tabs label="Channel" tabs={tabs} />
          {tab === '' && <ChannelVideos id={channelId} type="videos" />}
          {(tab === 'streams' || tab === 'shorts') && <ChannelVideos id={channelId} type={tab} />}
          {tab === 'playlist' && <PlaylistGrid filter={{ channel: channelId }} />}
          {tab === 'about' && <AboutChannel channel={channel} />}
          {!['', 'streams', 'shorts', 'playlist', 'about'].includes(tab) && (
            <p>
              <Link to={at}>Back to the videos</Link>
            </p>
          )}
        </>
      )}
    </Loaded>
  );
}
