import { Trans, useLingui } from '@lingui/react/macro';
import { IconBadgeSd, IconCloudOff } from '@tabler/icons-react';
import type { Video } from '#contract/video.ts';
import { agoText, dateTimeText } from '#web/format/dates.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { bitrateText } from '#web/format/numbers.ts';
import { useTrackLabel } from '#web/player/captions/use-track-label.ts';
import { ChangeHistory } from './history/ChangeHistory.tsx';
import { VideoMeta } from './VideoMeta.tsx';
import { RichText } from '#web/ui/RichText.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import styles from './Details.module.css';

const FileNotices = lazyComponent(async () => (await import('./FileNotices.tsx')).FileNotices, 'optional');

const MusicLine = lazyComponent(async () => (await import('./MusicLine.tsx')).MusicLine, 'optional');

function Streams({ streams }: Pick<Video, 'streams'>) {
  const { t } = useLingui();
  if (streams.length === 0) return null;
  return (
    <dl className={styles.list} aria-label={t`Streams`}>
      {streams.map(({ index, type, codec, bitrate, width, height }) => {
        const size = width && height ? `${width} × ${height}` : '';
        const rate = bitrate > 0 ? bitrateText(bitrate) : '';
        return (
          <div key={index}>
            <dt>{type === 'video' ? t`Video` : t`Audio`}</dt>
            <dd className="number">{[codec, size, rate].filter(Boolean).join(' · ')}</dd>
          </div>
        );
      })}
    </dl>
  );
}

function File({ video }: { video: Video }) {
  const { t } = useLingui();
  const trackLabel = useTrackLabel();
  const kinds = { videos: t`Video`, shorts: t`Short`, streams: t`Stream` };
  return (
    <details className={styles.file}>
      <summary>
        <Trans>File</Trans>
      </summary>
      <dl className={styles.list}>
        <div>
          <dt>
            <Trans>Type</Trans>
          </dt>
          <dd>{kinds[video.vid_type]}</dd>
        </div>
        <div>
          <dt>
            <Trans>Archived</Trans>
          </dt>
          <dd title={dateTimeText(video.date_downloaded)}>{agoText(video.date_downloaded)}</dd>
        </div>
        {video.subtitles.length > 0 && (
          <div>
            <dt>
              <Trans>Subtitles</Trans>
            </dt>
            <dd>{video.subtitles.map(trackLabel).join(', ')}</dd>
          </div>
        )}
        {video.category.length > 0 && (
          <div>
            <dt>
              <Trans>Category</Trans>
            </dt>
            <dd>
              <bdi>{video.category.join(', ')}</bdi>
            </dd>
          </div>
        )}
      </dl>
    </details>
  );
}

/** Description, numbers, tags, file details and change history. */
export function Details({ video, onSeek }: { video: Video; onSeek(seconds: number): void }) {
  const { t } = useLingui();
  return (
    <section className={styles.card} aria-label={t`About this video`}>
      <VideoMeta video={video} />
      {video.music && <MusicLine music={video.music} />}
      {!video.active && (
        <p className={styles.gone}>
          <IconCloudOff aria-hidden /> <Trans>No longer available at the source. Your archive still has it.</Trans>
        </p>
      )}
      {video.limited && (
        <p className={styles.gone}>
          <IconBadgeSd aria-hidden /> {messageText(video.limited.failure_messages, video.limited.message)}
        </p>
      )}
      {(video.upgrade || video.recording || video.source_duration !== undefined) && <FileNotices video={video} onSeek={onSeek} />}
      {video.description && (
        <RichText text={video.description} durationSeconds={video.player.duration} onSeek={onSeek} foldAfter={5} />
      )}
      {video.tags.length > 0 && (
        <ul className={styles.tags} aria-label={t`Tags`}>
          {video.tags.map((tag) => (
            <li key={tag}>
              <bdi>{tag}</bdi>
            </li>
          ))}
        </ul>
      )}
      <Streams streams={video.streams} />
      <File video={video} />
      <ChangeHistory video={video} />
    </section>
  );
}
