import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconMovie, IconMoodEmpty } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useTitle } from '#web/shell/title.ts';
import { buttonClass, Button } from '#web/ui/Button.tsx';
import { Select } from '#web/ui/Field.tsx';
import { Empty } from '#web/ui/Note.tsx';
import { usePage } from '#web/ui/Pager.tsx';
import { useConfig, useIsStaff, useSaveConfig } from '#web/user/queries.ts';
import { videoList } from '#web/video/queries.ts';
import { VideoCard } from '#web/video/VideoCard.tsx';
import { VideoListing, VideosSkeleton } from '#web/video/VideoListing.tsx';
import { ViewChoice } from '#web/video/ViewChoice.tsx';
import styles from './Home.module.css';

function ContinueWatching() {
  const { data } = useQuery(videoList({ watch: 'continue' }));
  if (!data || data.data.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="continue">
      <h2 id="continue">
        <Trans>Continue watching</Trans>
      </h2>
      <ul className={styles.strip}>
        {data.data.map((video) => (
          <li key={video.youtube_id}>
            <VideoCard video={video} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const kinds = [
  { value: '', label: 'Everything' },
  { value: 'videos', label: 'Videos' },
  { value: 'shorts', label: 'Shorts' },
  { value: 'streams', label: 'Streams' },
];
const sorts = [
  { value: 'published', label: 'Newest' },
  { value: 'downloaded', label: 'Latest added' },
  { value: 'views', label: 'Most viewed' },
  { value: 'likes', label: 'Most liked' },
  { value: 'duration', label: 'Longest' },
  { value: 'mediasize', label: 'Largest' },
];
const seen = [
  { value: 'all', label: 'Watched or not' },
  { value: 'unwatched', label: 'Not watched' },
];

function NothingYet({ isFiltered, onClear }: { isFiltered: boolean; onClear(): void }) {
  const isStaff = useIsStaff();
  if (isFiltered)
    return (
      <Empty icon={<IconMoodEmpty />} title="Nothing like that" action={<Button onClick={onClear}>Show everything</Button>}>
        No video matches what is chosen above.
      </Empty>
    );
  return (
    <Empty
      icon={<IconMovie />}
      title="Your archive is empty"
      action={
        isStaff && (
          <Link to="/downloads/" className={buttonClass('primary')}>
            Add the first video
          </Link>
        )
      }
    >
      {isStaff
        ? 'Paste the link of a video, a channel or a playlist under Downloads, and it appears here as it arrives.'
        : 'As soon as somebody adds videos, they appear here.'}
    </Empty>
  );
}

/** What is new, and what was begun. */
export function Home() {
  useTitle(undefined);
  const config = useConfig();
  const save = useSaveConfig();
  const [page] = usePage();
  if (!config) return <VideosSkeleton view="grid" />;
  const { sort_by, sort_order, vid_type_filter, hide_watched, view_style_home } = config;
  const isFiltered = hide_watched || vid_type_filter !== null;
  const filter = {
    sort: sort_by,
    order: sort_order,
    ...(vid_type_filter && { type: vid_type_filter }),
    ...(hide_watched && { watch: 'unwatched' as const }),
  };
  return (
    <>
      {page <= 1 && view_style_home !== 'table' && <ContinueWatching />}
      <section className={styles.section} aria-labelledby="recent">
        <div className={styles.head}>
          <h1 id="recent">Recent videos</h1>
          <div className={styles.controls}>
            <Select
              label="Kind"
              isLabelHidden
              choices={kinds}
              value={vid_type_filter ?? ''}
              onChange={(event) => save.mutate({ vid_type_filter: (event.target.value || null) as typeof vid_type_filter })}
            />
            <Select
              label="Watched"
              isLabelHidden
              choices={seen}
              value={hide_watched ? 'unwatched' : 'all'}
              onChange={(event) => save.mutate({ hide_watched: event.target.value === 'unwatched' })}
            />
            <Select
              label="Order"
              isLabelHidden
              choices={sorts}
              value={sort_by}
              onChange={(event) => save.mutate({ sort_by: event.target.value as typeof sort_by, sort_order: 'desc' })}
            />
            <ViewChoice value={view_style_home} onChange={(view) => save.mutate({ view_style_home: view })} />
          </div>
        </div>
        <VideoListing
          filter={filter}
          view={view_style_home}
          date={sort_by === 'downloaded' ? 'downloaded' : 'published'}
          empty={
            <NothingYet isFiltered={isFiltered} onClear={() => save.mutate({ hide_watched: false, vid_type_filter: null })} />
          }
        />
      </section>
    </>
  );
}
