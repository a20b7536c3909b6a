import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconDisc } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Album } from '#contract/album.ts';
import { addressOf } from '#web/api/call.ts';
import { videosText } from '#web/format/numbers.ts';
import { EmptyState } from '#web/ui/Callout.tsx';
import { Pager, useExistingPage, usePage, usePageKeys } from '#web/ui/Pager.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { useTitle } from '#web/ui/use-title.ts';
import { VideosSkeleton } from '#web/video/list/Videos.tsx';
import { albumList, pathOfAlbum } from './album-queries.ts';
import styles from './Albums.module.css';

const yearsOf = ({ year_from: from, year_to: to }: Album) => (from === to ? String(from ?? '') : `${from}–${to}`);

function AlbumCard({ album }: { album: Album }) {
  return (
    <Link to={pathOfAlbum(album)} className={styles.card}>
      <img src={addressOf(album.vid_thumb_url)} alt="" loading="lazy" />
      <span className={styles.text}>
        <strong>
          <bdi>{album.album}</bdi>
        </strong>
        {album.artist !== null && <bdi>{album.artist}</bdi>}
        <span className="number">{[videosText(album.videos), yearsOf(album)].filter(Boolean).join(' · ')}</span>
      </span>
    </Link>
  );
}

/** The albums of archived music. */
export function Albums() {
  const { t } = useLingui();
  useTitle(t`Albums`);
  const [page, setPage] = usePage();
  const query = useQuery(albumList(page));
  useExistingPage(query);
  const { total_hits: total = 0, page_size: size = 1 } = query.data?.paginate ?? {};
  usePageKeys({ page, total, size, onChange: setPage });
  return (
    <>
      <h1 className={styles.heading}>{t`Albums`}</h1>
      <QueryBoundary query={query} skeleton={<VideosSkeleton view="grid" count={4} />}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState icon={<IconDisc />} title={t`No albums yet`}>
              {t`Albums appear here once videos are archived for which the source names an album.`}
            </EmptyState>
          ) : (
            <>
              <ul className={styles.grid}>
                {data.map((album) => (
                  <li key={`${album.album}\n${album.artist ?? ''}`}>
                    <AlbumCard album={album} />
                  </li>
                ))}
              </ul>
              <Pager page={page} total={total} size={size} onChange={setPage} />
            </>
          )
        }
      </QueryBoundary>
    </>
  );
}
