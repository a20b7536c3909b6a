import { useEffect, useLayoutEffect } from 'react';
import { useMatch, useNavigate } from 'react-router';
import type { Video } from '#contract/video.ts';
import { useQueryParams } from '#web/ui/use-search-params.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { pathOfVideo } from '#web/api/paths.ts';
import { listenToKeys } from './keys.ts';
import { setKeyTarget, type KeyTarget } from './key-target.ts';
import { beginNote } from '../state/note-draft.ts';
import { toggleTranscript, requestTranscriptFocus } from '../state/transcript-focus.ts';
import { useNeighbours } from '../queue/use-neighbours.ts';

type Given = Pick<KeyTarget, 'toggleHelp' | 'toggleStats'> & Partial<Pick<KeyTarget, 'element' | 'frame'>>;

/** Connects shortcuts to the player. */
export function useKeys(video: Video, { element, frame, toggleHelp, toggleStats }: Given) {
  const toast = useToast();
  const navigate = useNavigate();
  const [, put] = useQueryParams();
  const neighbours = useNeighbours(video);
  const path = pathOfVideo(video);
  const isOnPage = useMatch(path) !== null;
  useLayoutEffect(() => {
    if (!element || !frame) return;
    setKeyTarget({
      element,
      frame,
      video,
      toggleHelp,
      toggleStats,
      ...neighbours,
      toggleTranscript: () => {
        if (isOnPage) return toggleTranscript((words) => put(words, { replace: true, preventScrollReset: true }));
        requestTranscriptFocus();
        void navigate(`${path}?side=transcript`);
      },
      writeNote: () => {
        beginNote({ wantsFocus: true });
        if (isOnPage) put({ side: 'notes' }, { replace: true, preventScrollReset: true });
        else void navigate(`${path}?side=notes`);
      },
      setBookmark: () => {
        const at = element.currentTime;
        void import('../commands/set-bookmark.ts').then(({ setBookmark }) => setBookmark(video, at, toast));
      },
      openPage: () => void navigate(path),
      fail: (sentence) => toast(sentence, { isDanger: true }),
    });
    return () => setKeyTarget(null);
  });
  useEffect(() => listenToKeys(), []);
}
