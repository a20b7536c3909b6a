import { useLingui } from '@lingui/react/macro';
import { Container, Gesture } from '@videojs/react';
import { Video as MediaElement } from '@videojs/react/video';
import { Fragment, useCallback, useEffect, useState } from 'react';
import { addressOf } from '#web/api/call.ts';
import type { Video } from '#contract/video.ts';
import { Bubble } from './Bubble.tsx';
import { liftCaptions } from './captions.ts';
import { Controls } from './Controls.tsx';
import { CornerBar } from './CornerBar.tsx';
import { usePlayer } from './engine.ts';
import { television } from './google-cast.ts';
import { KeyHelp } from './KeyHelp.tsx';
import { SegmentNotice } from './SegmentNotice.tsx';
import { sound } from './sound.ts';
import { SoundSign } from './SoundSign.tsx';
import { setMedia, useStage } from './stage.ts';
import { StartNotice } from './StartNotice.tsx';
import { Stats } from './Stats.tsx';
import { usePart } from './store.ts';
import { TelevisionSign } from './TelevisionSign.tsx';
import { listenToTouch } from './touch.ts';
import { Trouble } from './Trouble.tsx';
import { trouble } from './trouble.ts';
import { UpNext } from './UpNext.tsx';
import { useKeys } from './use-keys.ts';
import { usePlayback } from './use-playback.ts';
import { useTelevision } from './use-television.ts';
import styles from './Frame.module.css';

/** The picture with everything that lies on it. */
export function Frame({ video }: { video: Video }) {
  const { t } = useLingui();
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  const [element, setElement] = useState<HTMLVideoElement | null>(null);
  const [isHelpShown, setIsHelpShown] = useState(false);
  const [isStatsShown, setIsStatsShown] = useState(false);
  const isInCorner = useStage((stage) => stage.isInCorner);
  const isQuiet = usePlayer(({ controlsVisible }) => !controlsVisible);
  const state = usePart(trouble, (value) => value);
  const isAlone = usePart(sound, (now) => now.isAlone);
  const elsewhere = usePart(television, (now) => now.name);
  // WebKit plays on from where it was sent only when the element comes with its file; what follows is given to it (sound.ts).
  const [firstSource] = useState(() => addressOf(video.media_url));
  const found = useCallback((video: HTMLVideoElement | null) => {
    setElement(video);
    setMedia(video);
  }, []);
  usePlayback(video, element);
  useTelevision(video, element);
  useEffect(() => (element && frame ? listenToTouch(element, frame) : undefined), [element, frame]);
  const id = video.youtube_id;
  const isLifted = !isQuiet && !isInCorner;
  useEffect(() => (element && isLifted ? liftCaptions(element) : undefined), [element, id, isLifted]);
  useKeys(video, {
    ...(element && { element }),
    ...(frame && { frame }),
    toggleHelp: () => setIsHelpShown((is) => !is),
    toggleStats: () => setIsStatsShown((is) => !is),
  });
  return (
    <Container
      ref={setFrame}
      className={`${styles.frame} ${isInCorner ? styles.small : ''} ${isQuiet ? styles.quiet : ''}`}
      data-player={isInCorner ? 'corner' : 'page'}
      aria-label={t`Player: ${video.title}`}
    >
      <MediaElement
        ref={found}
        className={`${styles.picture} ${isAlone ? styles.alone : ''} ${elsewhere === null ? '' : styles.elsewhere}`}
        src={firstSource}
        style={isAlone ? { backgroundImage: `url("${addressOf(video.vid_thumb_url)}")` } : undefined}
        poster={addressOf(video.vid_thumb_url)}
        preload="metadata"
        playsInline
      >
        {video.subtitles.map(({ lang, name, source, media_url: track }) => (
          <track
            key={track}
            kind="subtitles"
            src={addressOf(track)}
            srcLang={lang}
            label={source === 'auto' ? t`${name} (automatic)` : name}
          />
        ))}
      </MediaElement>
      <Gesture type="tap" action="togglePaused" pointer="mouse" />
      <Gesture type="tap" action="toggleControls" pointer="touch" />
      <Gesture type="doubletap" action="seekStep" value={-10} region="left" />
      <Gesture type="doubletap" action="toggleFullscreen" region="center" />
      <Gesture type="doubletap" action="seekStep" value={10} region="right" />
      <Bubble />
      {elsewhere !== null && <TelevisionSign name={elsewhere} isSmall={isInCorner} />}
      {state.kind === null && elsewhere === null && <SoundSign isSmall={isInCorner} />}
      {element && isStatsShown && !isInCorner && <Stats video={video} element={element} onClose={() => setIsStatsShown(false)} />}
      {element && !isInCorner && state.kind === null && (
        <Fragment key={video.youtube_id}>
          <StartNotice element={element} />
          <SegmentNotice video={video} element={element} />
        </Fragment>
      )}
      {element && state.kind === null && <UpNext key={`next ${video.youtube_id}`} video={video} element={element} />}
      {state.kind !== null && <Trouble video={video} trouble={state} isSmall={isInCorner} />}
      {element && (isInCorner ? <CornerBar video={video} element={element} /> : <Controls video={video} element={element} />)}
      {isHelpShown && <KeyHelp onClose={() => setIsHelpShown(false)} />}
    </Container>
  );
}
