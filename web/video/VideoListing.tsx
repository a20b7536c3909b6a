import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { UserConfig } from '#contract/user.ts';
import type { Video } from '#contract/video.ts';
import { agoText, momentText } from '#web/format/dates.ts';
import { durationText, sizeText } from '#web/format/numbers.ts';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Pager, usePage } from '#web/ui/Pager.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useConfig } from '#web/user/queries.ts';
import { pathOfVideo, VideoCard, WatchedButton } from './VideoCard.tsx';
import { videoList, type VideoFilter } from './queries.ts';
import styles from './VideoListing.module.css';

export type ViewStyle = UserConfig['view_style_home'];

const shapeOf = (view: ViewStyle) => (view === 'list' ? 'row' : 'card');

function VideoTable({ videos }: { videos: Video[] }) {
  const unit = useConfig()?.file_size_unit;
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>Title</th>
            <th>Channel</th>
            <th>Published</th>
            <th className={styles.right}>Length</th>
            <th className={styles.right}>Size</th>
            <th>
              <span className="hidden">Watched</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {videos.map((video) => (
            <tr key={video.youtube_id}>
              <td className={styles.wide}>
                <Link to={pathOfVideo(video)}>
                  <bdi>{video.title}</bdi>
                </Link>
              </td>
              <td>
                <bdi>{video.channel.channel_name}</bdi>
              </td>
              <td title={momentText(video.published)}>{agoText(video.published)}</td>
              <td className={`${styles.right} number`}>{durationText(video.player.duration)}</td>
              <td className={`${styles.right} number`}>{sizeText(video.media_size, unit)}</td>
              <td>
                <WatchedButton video={video} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The videos themselves, in whichever form. */
export function Videos({ videos, view, date }: { videos: Video[]; view: ViewStyle; date?: 'published' | 'downloaded' }) {
  if (view === 'table') return <VideoTable videos={videos} />;
  return (
    <ul className={view === 'list' ? styles.list : styles.grid}>
      {videos.map((video) => (
        <li key={video.youtube_id}>
          <VideoCard video={video} shape={shapeOf(view)} {...(date && { date })} />
        </li>
      ))}
    </ul>
  );
}

/** The shape of a list that is on its way. */
export const VideosSkeleton = ({ view, count = 8 }: { view: ViewStyle; count?: number }) => (
  <ul className={view === 'grid' ? styles.grid : styles.list} aria-hidden>
    {Array.from({ length: count }, (_, place) => (
      <li key={place} className={view === 'grid' ? styles.ghost : styles.ghostRow}>
        <Skeleton ratio="16/9" />
        <span className={styles.ghostWords}>
          <Skeleton width="90%" />
          <Skeleton width="50%" height={12} />
        </span>
      </li>
    ))}
  </ul>
);

interface Props {
  filter: Omit<VideoFilter, 'page'>;
  view: ViewStyle;
  date?: 'published' | 'downloaded';
  /** What is said when there is nothing. */
  empty: ReactNode;
}

/** Every list of videos there is: in cards, rows or a table, page by page, with what to say when there is none. */
export function VideoListing({ filter, view, date, empty }: Props) {
  const [page, setPage] = usePage();
  const query = useQuery(videoList({ ...filter, page: page || undefined }));
  const lastPage = query.data && !query.isPlaceholderData ? query.data.paginate.last_page : 0;
  const isBeyond = Boolean(query.data && !query.isPlaceholderData && query.data.data.length === 0 && page > 1);
  // What stood on the last page has been watched or deleted: the page before it is meant.
  useEffect(() => {
    if (isBeyond) setPage(typeof lastPage === 'number' && lastPage > 0 ? lastPage : 0);
  }, [isBeyond, lastPage, setPage]);
  return (
    <Loaded query={query} skeleton={<VideosSkeleton view={view} />}>
      {({ data, paginate }) =>
        data.length === 0 ? (
          empty
        ) : (
          <div className={query.isPlaceholderData ? styles.old : undefined}>
            <Videos videos={data} view={view} {...(date && { date })} />
            <Pager page={page} total={paginate.total_hits} size={paginate.page_size} onChange={setPage} />
          </div>
        )
      }
    </Loaded>
  );
}
