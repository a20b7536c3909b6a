import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconMovie } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useTitle } from '#web/shell/title.ts';
import { buttonClass } from '#web/ui/Button.tsx';
import { Empty } from '#web/ui/Note.tsx';
import { usePage } from '#web/ui/Pager.tsx';
import { useConfig, useIsStaff, useSaveConfig } from '#web/user/queries.ts';
import { videoList } from '#web/video/queries.ts';
import { isNewSince } from '#web/video/shown.ts';
import { VideoCard } from '#web/video/VideoCard.tsx';
import { VideoListing } from '#web/video/VideoListing.tsx';
import { useLastVisit } from './last-visit.ts';
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

function NothingYet() {
  const { t } = useLingui();
  const isStaff = useIsStaff();
  return (
    <Empty
      icon={<IconMovie />}
      title={t`Your archive is empty`}
      action={
        isStaff && (
          <Link to="/downloads/" className={buttonClass('primary')}>
            <Trans>Add the first video</Trans>
          </Link>
        )
      }
    >
      {isStaff ? (
        <Trans>Paste the link of a video, a channel or a playlist under Downloads, and it appears here as it arrives.</Trans>
      ) : (
        <Trans>As soon as somebody adds videos, they appear here.</Trans>
      )}
    </Empty>
  );
}

/** How much came since the person was here last; leads to it. */
function NewOnes({ since }: { since: number }) {
  const save = useSaveConfig();
  const { data } = useQuery(videoList({ sort: 'downloaded', order: 'desc' }));
  if (!data) return null;
  const count = data.data.filter((video) => isNewSince(video, since)).length;
  if (count === 0) return null;
  const isMore = count === data.data.length && data.paginate.total_hits > count;
  return (
    <button type="button" className={styles.new} onClick={() => save.mutate({ sort_by: 'downloaded', sort_order: 'desc' })}>
      {isMore ? (
        <Trans>More than {count} new since your last visit</Trans>
      ) : (
        <Plural value={count} one="# new since your last visit" other="# new since your last visit" />
      )}
    </button>
  );
}

/** What is new, and what was begun. */
export function Home() {
  const { t } = useLingui();
  useTitle(undefined);
  const config = useConfig();
  const [page] = usePage();
  const since = useLastVisit();
  return (
    <>
      {page <= 1 && config && config.view_style_home !== 'table' && <ContinueWatching />}
      <section className={styles.section} aria-label={t`Recent videos`}>
        <VideoListing
          place="home"
          head={
            <div className={styles.title}>
              <h1>
                <Trans>Recent videos</Trans>
              </h1>
              {since !== undefined && <NewOnes since={since} />}
            </div>
          }
          empty={<NothingYet />}
          newSince={since}
        />
      </section>
    </>
  );
}
