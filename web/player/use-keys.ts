import { useEffect, useLayoutEffect } from 'react';
import { useMatch, useNavigate } from 'react-router';
import type { Video } from '#contract/video.ts';
import { useAddress } from '#web/ui/address.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { pathOfVideo } from '#web/video/paths.ts';
import { listenToKeys } from './keys.ts';
import { keyTarget, setKeyTarget, type KeyTarget } from './key-target.ts';
import { tellSystem } from './media-session.ts';
import { toggleTranscript, wantTranscript } from './transcript-way.ts';
import { useNeighbours } from './use-neighbours.ts';

type Given = Pick<KeyTarget, 'toggleHelp' | 'toggleStats'> & Partial<Pick<KeyTarget, 'element' | 'frame'>>;

const next = () => keyTarget()?.next();
const previous = () => keyTarget()?.previous();

/** Makes the keys work on what plays, those of the system as well. */
export function useKeys(video: Video, { element, frame, toggleHelp, toggleStats }: Given) {
  const toast = useToast();
  const navigate = useNavigate();
  const [, put] = useAddress();
  const neighbours = useNeighbours(video);
  const path = pathOfVideo(video);
  const isOnPage = useMatch(path) !== null;
  useLayoutEffect(() => {
    if (!element || !frame) return;
    setKeyTarget({
      element,
      frame,
      shown: video,
      toggleHelp,
      toggleStats,
      ...neighbours,
      toggleTranscript: () => {
        if (isOnPage) return toggleTranscript((words) => put(words, { replace: true, preventScrollReset: true }));
        wantTranscript();
        void navigate(`${path}?side=transcript`);
      },
      openPage: () => void navigate(path),
      fail: (sentence) => toast(sentence, { isDanger: true }),
    });
    return () => setKeyTarget(null);
  });
  useEffect(() => listenToKeys(), []);
  useEffect(() => (element ? tellSystem(video, element, { next, previous }) : undefined), [video, element]);
}
