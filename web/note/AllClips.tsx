import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconCut } from '@tabler/icons-react';
import { Link } from 'react-router';
import { pathOfVideo } from '#web/api/paths.ts';
import { clipsQuery } from '#web/api/queries/clip.ts';
import { ClipEntry } from '#web/clip/ClipEntry.tsx';
import { EmptyState } from '#web/ui/Callout.tsx';
import { Pager, useExistingPage, usePage } from '#web/ui/Pager.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { useTitle } from '#web/ui/use-title.ts';
import { NotesTabs } from './NotesTabs.tsx';
import styles from './Notes.module.css';

/** All clips of the user. */
export function AllClips() {
  const { t } = useLingui();
  useTitle(t`Clips`);
  const [page, setPage] = usePage();
  const query = useQuery(clipsQuery({ page }));
  useExistingPage(query);
  return (
    <div className={styles.page}>
      <h1>{t`Clips`}</h1>
      <NotesTabs />
      <QueryBoundary query={query} skeleton={300}>
        {({ data, paginate }) =>
          paginate.total_hits === 0 ? (
            <EmptyState icon={<IconCut />} title={t`No clips yet`}>
              <Trans>
                Select lines of a transcript and choose “Clip”, or choose it in the menu of a video or of a note with a range.
              </Trans>
            </EmptyState>
          ) : (
            <>
              <ul>
                {data.map((clip) => {
                  const path = pathOfVideo({ youtube_id: clip.video });
                  return (
                    <ClipEntry
                      key={clip.id}
                      clip={clip}
                      title={<Link to={path}>{clip.video_title}</Link>}
                      time={(text) => (
                        <Link
                          to={`${path}?t=${Math.floor(clip.start)}&end=${Math.ceil(clip.end)}`}
                          className={`${styles.time} number`}
                        >
                          {text}
                        </Link>
                      )}
                    />
                  );
                })}
              </ul>
              <Pager page={page} total={paginate.total_hits} size={paginate.page_size} onChange={setPage} />
            </>
          )
        }
      </QueryBoundary>
    </div>
  );
}
