import { Trans, useLingui } from '@lingui/react/macro';
import type { Video } from '#contract/video.ts';
import { agoText, momentText } from '#web/format/dates.ts';
import { exactText, sizeText } from '#web/format/numbers.ts';
import { useConfig } from '#web/user/queries.ts';
import { Earlier } from './Earlier.tsx';
import { Facts } from './Facts.tsx';
import { RichText } from './RichText.tsx';
import styles from './Details.module.css';

function Streams({ video }: { video: Video }) {
  const { t } = useLingui();
  return video.streams.map(({ index, type, codec, bitrate, width, height }) => {
    const size = width && height ? `${width} × ${height}` : '';
    const rate = bitrate > 0 ? `${exactText(Math.round(bitrate / 1000))} kbit/s` : '';
    return (
      <div key={index}>
        <dt>{type === 'video' ? t`Picture` : t`Sound`}</dt>
        <dd className="number">{[codec, size, rate].filter(Boolean).join(' · ')}</dd>
      </div>
    );
  });
}

function File({ video }: { video: Video }) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const kinds = { videos: t`Video`, shorts: t`Short`, streams: t`Stream` };
  return (
    <details className={styles.file}>
      <summary>
        <Trans>File</Trans> <span className="number">{sizeText(video.media_size, unit)}</span>
      </summary>
      <dl>
        <div>
          <dt>
            <Trans>Kind</Trans>
          </dt>
          <dd>{kinds[video.vid_type]}</dd>
        </div>
        <div>
          <dt>
            <Trans>Archived</Trans>
          </dt>
          <dd title={momentText(video.date_downloaded)}>{agoText(video.date_downloaded)}</dd>
        </div>
        <Streams video={video} />
        {video.subtitles.length > 0 && (
          <div>
            <dt>
              <Trans>Subtitles</Trans>
            </dt>
            <dd>{video.subtitles.map(({ name, source }) => (source === 'auto' ? t`${name} (automatic)` : name)).join(', ')}</dd>
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

/** The description, the numbers, the tags, what the file is, and what changed. */
export function Details({ video, onSeek }: { video: Video; onSeek(seconds: number): void }) {
  const { t } = useLingui();
  return (
    <section className={styles.card} aria-label={t`About this video`}>
      <Facts video={video} />
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
      <File video={video} />
      <Earlier id={video.youtube_id} />
    </section>
  );
}
