import { MinimalVideoSkin, Video as MediaElement, VideoPlayer } from '@videojs/react/video';
import '@videojs/react/video/minimal-skin.css';
import { useEffect, useEffectEvent, useMemo, useRef, useState, type RefObject } from 'react';
import type { Player as PlayerState, Video } from '#contract/video.ts';
import { addressOf } from '#web/api/call.ts';
import { durationText } from '#web/format/numbers.ts';
import { buttonClass } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Note } from '#web/ui/Note.tsx';
import { chaptersVtt } from './chapters.ts';
import { keyHelp, listenToKeys } from './keys.ts';
import { keepPosition } from './progress.ts';
import { remember } from './remembered.ts';
import styles from './Player.module.css';

interface Props {
  video: Video;
  /** The page moves the player about by this. */
  media: RefObject<HTMLVideoElement | null>;
  /** Begin here instead of where the person stopped; seconds. */
  startAt: number | null;
  isTheatre: boolean;
  onTheatre(): void;
  onPlayer(player: PlayerState): void;
}

/** The chapters as an address that a track can be read from. */
function useChapters({ chapters }: Video): string | null {
  const address = useMemo(
    () => (chapters.length > 1 ? URL.createObjectURL(new Blob([chaptersVtt(chapters)], { type: 'text/vtt' })) : null),
    [chapters],
  );
  useEffect(() => () => void (address && URL.revokeObjectURL(address)), [address]);
  return address;
}

/** Plays a video of the archive. The only place that knows which player is below. */
export function Player({ video, media, startAt, isTheatre, onTheatre, onPlayer }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [resumedAt, setResumedAt] = useState<number | null>(null);
  const [isBroken, setIsBroken] = useState(false);
  const [isHelpShown, setIsHelpShown] = useState(false);
  const chapters = useChapters(video);
  const { youtube_id: id, subtitles, vid_thumb_url, media_url } = video;
  // Where to begin is decided once: later news of the position must not make it jump.
  const [begin] = useState(() => startAt ?? (video.player.watched ? null : (video.player.position ?? null)));
  const tellPlayer = useEffectEvent(onPlayer);
  const toggleTheatre = useEffectEvent(onTheatre);

  useEffect(() => {
    const element = media.current;
    if (!element || !frame.current) return;
    const goToBegin = () => {
      if (begin === null || begin >= element.duration - 1) return;
      element.currentTime = begin;
      if (startAt === null) setResumedAt(begin);
    };
    if (element.readyState >= 1) goToBegin();
    else element.addEventListener('loadedmetadata', goToBegin, { once: true });
    const ends = [
      remember(element),
      keepPosition(element, id, (player) => tellPlayer(player)),
      listenToKeys({
        video: element,
        frame: frame.current,
        toggleTheatre: () => toggleTheatre(),
        showHelp: () => setIsHelpShown(true),
      }),
    ];
    return () => ends.forEach((end) => end());
  }, [id, media, begin, startAt]);

  return (
    <>
      <div ref={frame} className={`${styles.frame} ${isTheatre ? styles.theatre : ''}`}>
        <VideoPlayer>
          <MinimalVideoSkin className={styles.skin}>
            <MediaElement
              ref={media}
              src={addressOf(media_url)}
              poster={addressOf(vid_thumb_url)}
              preload="metadata"
              playsInline
              onError={() => setIsBroken(true)}
            >
              {subtitles.map(({ lang, name, source, media_url: track }) => (
                <track
                  key={track}
                  kind="subtitles"
                  src={addressOf(track)}
                  srcLang={lang}
                  label={source === 'auto' ? `${name} (automatic)` : name}
                />
              ))}
              {chapters && <track kind="chapters" src={chapters} srcLang="en" default />}
            </MediaElement>
          </MinimalVideoSkin>
        </VideoPlayer>
      </div>
      {resumedAt !== null && (
        <div className={styles.resumed} role="status">
          <span>
            Going on at <span className="number">{durationText(resumedAt)}</span>.
          </span>
          <button
            type="button"
            onClick={() => {
              if (media.current) media.current.currentTime = 0;
              setResumedAt(null);
            }}
          >
            Start over
          </button>
        </div>
      )}
      {isBroken && (
        <Note kind="danger">
          <p>This browser cannot play the file: the server does not send it just now, or its format is unknown here.</p>
          <p>
            <a className={buttonClass('plain', 's')} href={`${addressOf(media_url)}?download`} download>
              Download file
            </a>
          </p>
        </Note>
      )}
      {isHelpShown && (
        <Dialog title="Keys of the player" onClose={() => setIsHelpShown(false)}>
          <dl className={styles.keys}>
            {keyHelp.map(([keys, does]) => (
              <div key={keys}>
                <dt>{keys}</dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </Dialog>
      )}
    </>
  );
}
