import { useLingui } from '@lingui/react/macro';
import { Container, Gesture } from '@videojs/react';
import { Video as MediaElement } from '@videojs/react/video';
import { Fragment, useCallback, useEffect, useState } from 'react';
import { addressOf } from '#web/api/call.ts';
import type { Video } from '#contract/video.ts';
import { useTrackLabel } from './captions/use-track-label.ts';
import { StatusToast } from './controls/StatusToast.tsx';
import { liftCaptions } from './captions/captions.ts';
import { Controls } from './controls/Controls.tsx';
import { MiniPlayerBar } from './MiniPlayerBar.tsx';
import { usePlayer } from './state/videojs.ts';
import { castState } from './state/google-cast.ts';
import { keyTarget } from './shortcuts/key-target.ts';
import { SegmentNotice } from './segments/SegmentNotice.tsx';
import { audioSource } from './audio/audio-source.ts';
import { setMediaElement, usePlayerStore } from './state/player-store.ts';
import { ResumeNotice } from './playback/ResumeNotice.tsx';
import { stopNoteSequence, useNoteSequence } from './state/note-sequence.ts';
import { stopPosition } from './state/stop-position.ts';
import { useStoreValue } from '#web/ui/create-store.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { listenToTouch } from './playback/touch.ts';
import { PlaybackError } from './playback/PlaybackError.tsx';
import { playbackError } from './playback/playback-error.ts';
import { UpNext } from './queue/UpNext.tsx';
import { useKeys } from './shortcuts/use-keys.ts';
import { usePlayback } from './playback/use-playback.ts';
import { useCasting } from './cast/use-casting.ts';
import notice from './styles/notice.module.css';
import styles from './PlayerView.module.css';

const AudioOnlyOverlay = lazyComponent(
  async () => (await import('./playback/AudioOnlyOverlay.tsx')).AudioOnlyOverlay,
  'optional',
);
const KeyHelp = lazyComponent(async () => (await import('./shortcuts/KeyHelp.tsx')).KeyHelp);
const CastOverlay = lazyComponent(async () => (await import('./cast/CastOverlay.tsx')).CastOverlay);
const EvenVolume = lazyComponent(async () => (await import('./playback/even-volume.ts')).EvenVolume, 'optional');
const MediaSession = lazyComponent(async () => (await import('./playback/media-session.ts')).MediaSession, 'optional');
const Stats = lazyComponent(async () => (await import('./controls/Stats.tsx')).Stats);
const NoteSequence = lazyComponent(async () => (await import('./queue/NoteSequence.tsx')).NoteSequence);

const next = () => keyTarget()?.next();
const previous = () => keyTarget()?.previous();

/** The media element with its controls and overlays. */
export function PlayerView({ video }: { video: Video }) {
  const { t } = useLingui();
  const trackLabel = useTrackLabel();
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  const [element, setElement] = useState<HTMLVideoElement | null>(null);
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const [isStatsOpen, setIsStatsOpen] = useState(false);
  const isMini = usePlayerStore((state) => state.isMini);
  const isPortrait = usePlayerStore((state) => state.isPortrait);
  const isSequence = useNoteSequence(({ items }) => items.length > 0);
  const isReached = useStoreValue(stopPosition, (now) => now.isReached);
  const isQuiet = usePlayer(({ controlsVisible }) => !controlsVisible);
  const state = useStoreValue(playbackError, (value) => value);
  const isAudioOnly = useStoreValue(audioSource, (now) => now.isAudioOnly);
  const hasSoundNotice = useStoreValue(audioSource, (now) => now.isAudioOnly || now.isPreparing || now.error !== null);
  const castDevice = useStoreValue(castState, (now) => now.name);
  // WebKit keeps a start position only if the element is created with its source; later sources are set in audio-source.ts.
  const [firstSource] = useState(() => addressOf(video.media_url));
  const found = useCallback((video: HTMLVideoElement | null) => {
    setElement(video);
    setMediaElement(video);
  }, []);
  usePlayback(video, element);
  useCasting(video, element);
  useEffect(() => (element && frame ? listenToTouch(element, frame) : undefined), [element, frame]);
  const id = video.youtube_id;
  const isLifted = !isQuiet && !isMini;
  useEffect(() => (element && isLifted ? liftCaptions(element) : undefined), [element, id, isLifted]);
  useKeys(video, {
    ...(element && { element }),
    ...(frame && { frame }),
    toggleHelp: () => setIsHelpOpen((is) => !is),
    toggleStats: () => setIsStatsOpen((is) => !is),
  });
  return (
    <Container
      ref={setFrame}
      className={`${styles.frame} ${isMini ? styles.small : ''} ${isQuiet ? styles.idle : ''}`}
      data-player={isMini ? 'corner' : 'page'}
      aria-label={t`Player: ${video.title}`}
    >
      <MediaElement
        ref={found}
        className={`${styles.picture} ${isAudioOnly ? styles.audioOnly : ''} ${castDevice === null ? '' : styles.casting}`}
        src={firstSource}
        style={isAudioOnly ? { backgroundImage: `url("${addressOf(video.vid_thumb_url)}")` } : undefined}
        poster={addressOf(video.vid_thumb_url)}
        preload="metadata"
        playsInline
      >
        {video.subtitles.map((track) => (
          <track
            key={track.media_url}
            kind="subtitles"
            src={addressOf(track.media_url)}
            srcLang={track.lang}
            label={trackLabel(track)}
          />
        ))}
      </MediaElement>
      <Gesture type="tap" action="togglePaused" pointer="mouse" />
      <Gesture type="tap" action="toggleControls" pointer="touch" />
      {/* Two quick swipes through the shorts would be a double tap. */}
      {!isPortrait && (
        <>
          <Gesture type="doubletap" action="seekStep" value={-10} region="left" />
          <Gesture type="doubletap" action="toggleFullscreen" region="center" />
          <Gesture type="doubletap" action="seekStep" value={10} region="right" />
        </>
      )}
      <StatusToast />
      {element && video.streams.some(({ lufs }) => lufs) && <EvenVolume video={video} element={element} />}
      {element && <MediaSession video={video} element={element} next={next} previous={previous} />}
      {castDevice !== null && <CastOverlay name={castDevice} isSmall={isMini} />}
      {hasSoundNotice && state.kind === null && castDevice === null && <AudioOnlyOverlay video={video} isSmall={isMini} />}
      {element && isStatsOpen && !isMini && <Stats video={video} element={element} onClose={() => setIsStatsOpen(false)} />}
      {element && !isMini && state.kind === null && (
        <Fragment key={video.youtube_id}>
          <ResumeNotice element={element} />
          <SegmentNotice video={video} element={element} />
        </Fragment>
      )}
      {element && state.kind === null && <UpNext key={`next ${video.youtube_id}`} video={video} element={element} />}
      {element && isSequence && (
        <NoteSequence
          className={notice.badge}
          isSmall={isMini}
          isReached={isReached}
          onStop={() => {
            element.pause();
            stopPosition.set({ at: null });
            stopNoteSequence();
          }}
          onNext={next}
          onPrevious={previous}
        />
      )}
      {state.kind !== null && <PlaybackError video={video} error={state} isSmall={isMini} />}
      {element &&
        (isMini ? (
          <MiniPlayerBar video={video} element={element} />
        ) : (
          <Controls video={video} element={element} hasError={state.kind !== null} />
        ))}
      {isHelpOpen && <KeyHelp onClose={() => setIsHelpOpen(false)} />}
    </Container>
  );
}
