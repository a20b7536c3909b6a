import { Trans, useLingui } from '@lingui/react/macro';
import { IconCircleCheckFilled, IconCircleDashedCheck, IconDots, IconDownload, IconPlaylistAdd } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Video } from '#contract/video.ts';
import { community } from '#web/community/community.ts';
import { changeSubscription } from '#web/api/queries/channel.ts';
import { SubscribeButton } from '#web/subscription/Subscribe.tsx';
import { Avatar } from '#web/subscription/Avatar.tsx';
import { subscribersText } from '#web/format/numbers.ts';
import { ActionRow } from '#web/ui/ActionRow.tsx';
import { Button, buttonClass } from '#web/ui/Button.tsx';
import { LazyPopup } from '#web/ui/LazyPopup.tsx';
import { useIsStaff } from '#web/api/account.ts';
import { downloadUrl, pathOfChannel } from '#web/api/paths.ts';
import { useMarkWatched } from '#web/api/queries/video.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import styles from './VideoHeader.module.css';

const PlaylistMenu = lazyComponent(async () => (await import('../menu/PlaylistMenu.tsx')).PlaylistMenu);
const MoreMenu = lazyComponent(async () => (await import('../menu/MoreMenu.tsx')).MoreMenu);

/** Title, channel and actions of a video. */
export function VideoHeader({ video }: { video: Video }) {
  const { t } = useLingui();
  const mark = useMarkWatched();
  const isStaff = useIsStaff();
  const { channel, player } = video;
  return (
    <header className={styles.header}>
      {community?.headingOf(video, styles.title) ?? (
        <h1 className={styles.title}>
          <bdi>{video.title}</bdi>
        </h1>
      )}
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
          <LazyPopup
            kind="dialog"
            button={(props) => <Button icon={<IconPlaylistAdd aria-hidden />} {...props}>{t`Add to playlist`}</Button>}
            popup={(props) => <PlaylistMenu video={video} {...props} />}
          />
          <a className={buttonClass()} href={downloadUrl(video)} download>
            <IconDownload aria-hidden />{' '}
            <span>
              <Trans>Download file</Trans>
            </span>
          </a>
          <LazyPopup
            button={(props) => <Button icon={<IconDots aria-hidden />} aria-label={t`More`} title={t`More`} {...props} />}
            popup={(props) => <MoreMenu video={video} isStaff={isStaff} {...props} />}
          />
        </ActionRow>
      </div>
    </header>
  );
}
