import { useEffect, useRef } from 'react';
import { useSavedFile } from './use-saved-file.ts';
import { offlinePosition, setOfflinePosition, syncOfflineProgress } from './offline-progress.ts';
import type { SavedVideo } from './saved-videos.ts';
import styles from './OfflineVideos.module.css';

const saveEverySeconds = 5;

function Track({ id, subtitle }: { id: string; subtitle: SavedVideo['subtitles'][number] }) {
  const url = useSavedFile(id, subtitle.file);
  return url && <track kind="subtitles" src={url} srcLang={subtitle.lang} label={subtitle.name} />;
}

/** Plays a saved video with the controls of the browser, from the last position. */
export function OfflinePlayer({ saved: { video, subtitles } }: { saved: SavedVideo }) {
  const { youtube_id: id, player } = video;
  const media = useSavedFile(id, 'media');
  const element = useRef<HTMLVideoElement>(null);
  const savedAt = useRef(0);
  const save = () => {
    const now = element.current?.currentTime ?? 0;
    savedAt.current = now;
    if (now > 0) setOfflinePosition(id, now);
  };
  // The player is closed or the page is left.
  useEffect(() => () => void syncOfflineProgress(), []);
  return (
    <video
      ref={element}
      className={styles.video}
      src={media}
      aria-label={video.title}
      controls
      autoPlay
      playsInline
      onLoadedMetadata={({ currentTarget }) => {
        currentTarget.currentTime = offlinePosition(id) ?? (player.watched ? 0 : (player.position ?? 0));
      }}
      onTimeUpdate={({ currentTarget }) => {
        if (Math.abs(currentTarget.currentTime - savedAt.current) >= saveEverySeconds) save();
      }}
      onSeeked={({ currentTarget }) => currentTarget.paused && save()}
      onPause={() => {
        save();
        void syncOfflineProgress();
      }}
      onEnded={save}
    >
      {subtitles.map((subtitle) => (
        <Track key={subtitle.file} id={id} subtitle={subtitle} />
      ))}
    </video>
  );
}
