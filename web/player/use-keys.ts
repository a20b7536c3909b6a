import { useEffect, useLayoutEffect } from 'react';
import { useNavigate } from 'react-router';
import type { Video } from '#contract/video.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { pathOfVideo } from '#web/video/paths.ts';
import { listenToKeys } from './keys.ts';
import { keyTarget, setKeyTarget, type KeyTarget } from './key-target.ts';
import { tellSystem } from './media-session.ts';
import { stage } from './stage.ts';
import { useNeighbours } from './use-neighbours.ts';

type Given = Pick<KeyTarget, 'toggleHelp' | 'toggleStats'> & Partial<Pick<KeyTarget, 'element' | 'frame'>>;

const next = () => keyTarget()?.next();
const previous = () => keyTarget()?.previous();

/** Makes the keys work on what plays, those of the system as well. */
export function useKeys(video: Video, { element, frame, toggleHelp, toggleStats }: Given) {
  const toast = useToast();
  const navigate = useNavigate();
  const neighbours = useNeighbours(video);
  const path = pathOfVideo(video);
  useLayoutEffect(() => {
    if (!element || !frame) return;
    setKeyTarget({
      element,
      frame,
      shown: video,
      toggleHelp,
      toggleStats,
      ...neighbours,
      openTranscript: () => void navigate(`${path}?side=transcript`, { replace: stage.get().hasPlace, preventScrollReset: true }),
      openPage: () => void navigate(path),
      fail: (sentence) => toast(sentence, { isDanger: true }),
    });
    return () => setKeyTarget(null);
  });
  useEffect(() => listenToKeys(), []);
  useEffect(() => (element ? tellSystem(video, element, { next, previous }) : undefined), [video, element]);
}
