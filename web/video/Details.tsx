import { IconStar, IconStarFilled, IconStarHalfFilled } from '@tabler/icons-react';
import type { Chapter, Video } from '#contract/video.ts';
import { agoText, dayText, momentText } from '#web/format/dates.ts';
import { countText, durationText, exactText, sizeText } from '#web/format/numbers.ts';
import { useConfig } from '#web/user/queries.ts';
import { RichText } from './RichText.tsx';
import styles from './Details.module.css';

/** Full, half and empty stars of a rating from 0 to 5. */
export const starsOf = (rating: number) =>
  Array.from({ length: 5 }, (_, place) => (rating - place >= 0.75 ? 'full' : rating - place >= 0.25 ? 'half' : 'empty'));

const starIcons = { full: IconStarFilled, half: IconStarHalfFilled, empty: IconStar };

function Rating({ rating }: { rating: number }) {
  return (
    <span className={styles.stars} role="img" aria-label={`Rated ${rating.toFixed(1)} of 5`} title={rating.toFixed(2)}>
      {starsOf(rating).map((kind, place) => {
        const Icon = starIcons[kind];
        return <Icon key={place} aria-hidden />;
      })}
    </span>
  );
}

function Facts({ video }: { video: Video }) {
  const { stats } = video;
  return (
    <p className={styles.facts}>
      <span title={exactText(stats.view_count)}>{countText(stats.view_count)} views</span>
      <time dateTime={video.published} title={momentText(video.published)}>
        {dayText(video.published)}
      </time>
      {stats.like_count > 0 && <span title={exactText(stats.like_count)}>{countText(stats.like_count)} likes</span>}
      {stats.dislike_count > 0 && <span title={exactText(stats.dislike_count)}>{countText(stats.dislike_count)} dislikes</span>}
      {stats.average_rating > 0 && <Rating rating={stats.average_rating} />}
    </p>
  );
}

const kinds = { videos: 'Video', shorts: 'Short', streams: 'Stream' } as const;

function File({ video }: { video: Video }) {
  const unit = useConfig()?.file_size_unit;
  const bits = (rate: number) => (rate > 0 ? `${exactText(Math.round(rate / 1000))} kbit/s` : '');
  return (
    <details className={styles.file}>
      <summary>
        File and source <span className="number">{sizeText(video.media_size, unit)}</span>
      </summary>
      <dl>
        <div>
          <dt>Kind</dt>
          <dd>{kinds[video.vid_type]}</dd>
        </div>
        <div>
          <dt>Archived</dt>
          <dd title={momentText(video.date_downloaded)}>{agoText(video.date_downloaded)}</dd>
        </div>
        <div>
          <dt>Last refreshed</dt>
          <dd title={momentText(video.vid_last_refresh)}>{agoText(video.vid_last_refresh)}</dd>
        </div>
        <div>
          <dt>Size</dt>
          <dd title={`${exactText(video.media_size)} bytes`}>{sizeText(video.media_size, unit)}</dd>
        </div>
        {video.streams.map((stream) => (
          <div key={stream.index}>
            <dt>{stream.type === 'video' ? 'Picture' : 'Sound'}</dt>
            <dd className="number">
              {[stream.codec, stream.width && stream.height ? `${stream.width} × ${stream.height}` : '', bits(stream.bitrate)]
                .filter(Boolean)
                .join(' · ')}
            </dd>
          </div>
        ))}
        {video.subtitles.length > 0 && (
          <div>
            <dt>Subtitles</dt>
            <dd>{video.subtitles.map(({ name, source }) => (source === 'auto' ? `${name} (automatic)` : name)).join(', ')}</dd>
          </div>
        )}
        {video.category.length > 0 && (
          <div>
            <dt>Category</dt>
            <dd>{video.category.join(', ')}</dd>
          </div>
        )}
      </dl>
    </details>
  );
}

/** The description, the numbers, the tags, and what the file is. */
export function Details({ video, onSeek }: { video: Video; onSeek(seconds: number): void }) {
  return (
    <section className={styles.card} aria-label="About this video">
      <Facts video={video} />
      {video.description && (
        <RichText text={video.description} durationSeconds={video.player.duration} onSeek={onSeek} foldAfter={5} />
      )}
      {video.tags.length > 0 && (
        <ul className={styles.tags} aria-label="Tags">
          {video.tags.map((tag) => (
            <li key={tag}>
              <bdi>{tag}</bdi>
            </li>
          ))}
        </ul>
      )}
      <File video={video} />
    </section>
  );
}

/** The parts of a video, to go to. */
export function Chapters({ chapters, onSeek }: { chapters: Chapter[]; onSeek(seconds: number): void }) {
  if (chapters.length < 2) return null;
  return (
    <section aria-labelledby="chapters">
      <h2 id="chapters" className={styles.heading}>
        Chapters
      </h2>
      <ol className={styles.chapters}>
        {chapters.map(({ title, start }) => (
          <li key={`${start} ${title}`}>
            <button type="button" onClick={() => onSeek(start)}>
              <span className="number">{durationText(start)}</span>
              <bdi>{title}</bdi>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
