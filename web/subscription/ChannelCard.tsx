import { useLingui } from '@lingui/react/macro';
import { Link } from 'react-router';
import type { Channel } from '#contract/channel.ts';
import { useIsStaff } from '#web/api/account.ts';
import { pathOfChannel } from '#web/api/paths.ts';
import { changeSubscription } from '#web/api/queries/channel.ts';
import { exactText, subscribersText, videosText } from '#web/format/numbers.ts';
import { Avatar } from './Avatar.tsx';
import { SubscribeButton } from './Subscribe.tsx';
import styles from './ChannelCard.module.css';

/** Card of a channel in a list, with the subscribe button for staff. */
export function ChannelCard({ channel }: { channel: Channel }) {
  const { t } = useLingui();
  const isStaff = useIsStaff();
  const { channel_id: id, channel_subs: subs, channel_subscribed: isSubscribed } = channel;
  // Staff see it on the button.
  const { channel_videos: videos, channel_unwatched: unwatched = 0 } = channel;
  const facts = [
    subs > 0 && subscribersText(subs),
    videos !== undefined && videosText(videos),
    unwatched > 0 && t`${exactText(unwatched)} unwatched`,
    isSubscribed && !isStaff && t`Subscribed`,
  ]
    .filter(Boolean)
    .join(' · ');
  return (
    <div className={styles.card}>
      <Link to={pathOfChannel(id)} className={styles.main}>
        <Avatar channel={channel} size={72} />
        <span className={styles.text}>
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
          topic="channel"
          size="s"
          name={channel.channel_name}
          isSubscribed={isSubscribed}
          change={(subscribedOnly, confirm) => changeSubscription(id, subscribedOnly, confirm)}
        />
      )}
    </div>
  );
}
