import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { clipsQuery } from '#web/api/queries/clip.ts';
import { seekTo } from '#web/player/state/player-store.ts';
import { ClipEntry } from './ClipEntry.tsx';
import styles from './Clip.module.css';

/** The newest clips of the video that is shown; nothing without any. */
export function ClipsOfVideo({ video }: { video: string }) {
  const clips = useQuery(clipsQuery({ page: 1, video })).data?.data ?? [];
  if (clips.length === 0) return null;
  return (
    <section>
      <h2 className={styles.heading}>
        <Trans>Clips</Trans>
      </h2>
      <ul>
        {clips.map((clip) => (
          <ClipEntry
            key={clip.id}
            clip={clip}
            time={(text) => (
              <button type="button" className={`${styles.time} number`} onClick={() => seekTo(clip.start)}>
                {text}
              </button>
            )}
          />
        ))}
      </ul>
    </section>
  );
}
