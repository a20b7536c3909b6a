import { Trans, useLingui } from '@lingui/react/macro';
import { IconCircleCheckFilled, IconCircleDashedCheck, IconDownload } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Video } from '#contract/video.ts';
import { changeSubscription } from '#web/api/queries/channel.ts';
import { SubscribeButton } from '#web/channel/subscribe/Subscribe.tsx';
import { Avatar } from '#web/channel/avatar/Avatar.tsx';
import { subscribersText } from '#web/format/numbers.ts';
import { ActionRow } from '#web/ui/ActionRow.tsx';
import { Button, buttonClass } from '#web/ui/Button.tsx';
import { useIsStaff } from '#web/api/account.ts';
import { MoreMenu } from '../selection/MoreMenu.tsx';
import { downloadUrl, pathOfChannel } from '../../api/paths.ts';
import { PlaylistMenu } from '../menu/PlaylistMenu.tsx';
import { useMarkWatched } from '../../api/queries/video.ts';
import styles from './VideoHeader.module.css';

/** Title, channel and actions of a video. */
export function VideoHeader({ video }: { video: Video }) {
  const { t } = useLingui();
  const mark = useMarkWatched();
  const isStaff = useIsStaff();
  const { channel, player } = video;
  return (
    <header className={styles.header}>
      <h1 className={styles.title}>
        <bdi>{video.title}</bdi>
      </h1>
      <div className={styles.row}>
        <div className={styles.owner}>
          <Link to={pathOfChannel(channel.channel_id)} className={styles.channel}>
            <Avatar channel={channel} size={44} />
            <span>
              <strong>
                <bdi>{channel.channel_name}</bdi>
              </strong>
              {channel.channel_subs > 0 && <span>{subscribersText(channel.channel_subs)}</span>}
            </span>
          </Link>
          {isStaff && (
            <SubscribeButton
              topic="channel"
              name={channel.channel_name}
              isSubscribed={channel.channel_subscribed}
              change={(subscription, confirm) => changeSubscription(channel.channel_id, subscription, confirm)}
            />
          )}
        </div>
        <ActionRow isCompact>
          <Button
            aria-pressed={player.watched}
            icon={
              player.watched ? <IconCircleCheckFilled className={styles.on} aria-hidden /> : <IconCircleDashedCheck aria-hidden />
            }
            onClick={() => mark(video, !player.watched)}
          >
            {player.watched ? t`Watched` : t`Mark watched`}
          </Button>
          <PlaylistMenu video={video} />
          <a className={buttonClass()} href={downloadUrl(video)} download>
            <IconDownload aria-hidden />{' '}
            <span>
              <Trans>Download file</Trans>
            </span>
          </a>
          <MoreMenu video={video} isStaff={isStaff} />
        </ActionRow>
      </div>
    </header>
  );
}
