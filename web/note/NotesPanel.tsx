import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { notesOfVideoQuery } from '#web/api/queries/note.ts';
import { seekTo } from '#web/player/state/player-store.ts';
import { Muted } from '#web/setting-fields/Muted.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { NoteEntry } from './NoteEntry.tsx';
import { NoteForm } from './NoteForm.tsx';
import styles from './Notes.module.css';

const ClipsOfVideo = lazyComponent(async () => (await import('#web/clip/ClipsOfVideo.tsx')).ClipsOfVideo);
const OwnTags = lazyComponent(async () => (await import('#web/tag/OwnTags.tsx')).OwnTags);

/** The notes about the video that is shown. */
export function NotesPanel({ video, durationSeconds }: { video: string; durationSeconds: number }) {
  const query = useQuery(notesOfVideoQuery(video));
  return (
    <>
      <NoteForm video={video} />
      <div className={styles.tags}>
        <OwnTags target={{ video }} fallback={<Skeleton height={64} />} />
      </div>
      <QueryBoundary query={query} skeleton={120}>
        {(notes) =>
          notes.length === 0 ? (
            <Muted>
              <Trans>No notes yet. Only you can read them.</Trans>
            </Muted>
          ) : (
            <ul>
              {notes.map((note) => (
                <NoteEntry
                  key={note.id}
                  note={note}
                  durationSeconds={durationSeconds}
                  onSeek={seekTo}
                  time={(text) => (
                    <button type="button" className={styles.time} onClick={() => seekTo(note.start ?? 0)}>
                      {text}
                    </button>
                  )}
                />
              ))}
            </ul>
          )
        }
      </QueryBoundary>
      <ClipsOfVideo video={video} />
      <p className={styles.all}>
        <Link to="/notes/">
          <Trans>All notes</Trans>
        </Link>
      </p>
    </>
  );
}
