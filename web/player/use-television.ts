import { t } from '@lingui/core/macro';
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { leaveTelevision, loadedSender, television } from './google-cast.ts';
import { standFor, type Standing } from './stand-for.ts';
import { usePart } from './store.ts';

/** While a television is chosen, the element stands for it, and it plays whatever is shown. */
export function useTelevision(video: Video, element: HTMLVideoElement | null) {
  const say = useToast();
  const name = usePart(television, (now) => now.name);
  const { media_url: file } = video;
  const standing = useRef<Standing | null>(null);
  const failed = useEffectEvent(() => {
    const { host } = location;
    say(t`The television could not play it. It must be able to reach ${host}, and to know how the file is encoded.`, {
      isDanger: true,
    });
    leaveTelevision();
  });
  useLayoutEffect(() => {
    const sender = loadedSender();
    if (!element || name === null || !sender) return;
    const now = standFor(element, sender, failed);
    standing.current = now;
    return () => {
      now.end();
      standing.current = null;
    };
  }, [element, name]);
  // Before the next video is given its place (use-playback.ts).
  useLayoutEffect(() => standing.current?.expectNext(), [file]);
  const load = useEffectEvent(async (signal: AbortSignal, _file: string) => {
    try {
      const links = await call('GET /api/video/:id/link/', { params: { id: video.youtube_id }, signal });
      if (!signal.aborted) await standing.current?.load(video, links);
    } catch {
      if (!signal.aborted) failed();
    }
  });
  useEffect(() => {
    if (!element || name === null) return;
    const ending = new AbortController();
    void load(ending.signal, file);
    return () => ending.abort();
  }, [element, name, file]);
}
