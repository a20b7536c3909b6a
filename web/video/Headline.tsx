import { Trans, useLingui } from '@lingui/react/macro';
import { IconCircleCheckFilled, IconCircleDashedCheck, IconDownload } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Video } from '#contract/video.ts';
import { Avatar } from '#web/channel/Avatar.tsx';
import { subscribersText } from '#web/format/numbers.ts';
import { ActionRow } from '#web/ui/ActionRow.tsx';
import { Button, buttonClass } from '#web/ui/Button.tsx';
import { useIsStaff } from '#web/user/queries.ts';
import { MoreMenu } from './MoreMenu.tsx';
import { fileToKeep, pathOfChannel } from './paths.ts';
import { PlaylistMenu } from './PlaylistMenu.tsx';
import { useMarkWatched } from './queries.ts';
import { SubscribeToggle } from './SubscribeToggle.tsx';
import styles from './Headline.module.css';

/** The title, whose it is, and what can be done with it. */
export function Headline({ video }: { video: Video }) {
  const { t } = useLingui();
  const mark = useMarkWatched();
  const isStaff = useIsStaff();
  const { channel, player } = video;
  return (
    <header className={styles.headline}>
      <h1 className={styles.title}>
        <bdi>{video.title}</bdi>
      </h1>
      <div className={styles.row}>
        <div className={styles.whose}>
          <Link to={pathOfChannel(channel.channel_id)} className={styles.channel}>
            <Avatar channel={channel} size={44} />
            <span>
              <strong>
                <bdi>{channel.channel_name}</bdi>
              </strong>
              {channel.channel_subs > 0 && <span>{subscribersText(channel.channel_subs)}</span>}
            </span>
          </Link>
          {isStaff && <SubscribeToggle channel={channel} />}
        </div>
        <ActionRow>
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
          <a className={buttonClass()} href={fileToKeep(video)} download>
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
