import { t } from '@lingui/core/macro';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { stopCasting, getSender, castState } from '../state/google-cast.ts';
import type { CastProxy, createCastProxy } from './cast-proxy.ts';
import { useStoreValue } from '#web/ui/create-store.ts';

/** Connects the element to the selected TV, which then plays the current video. */
export function useCasting(video: Video, element: HTMLVideoElement | null) {
  const showToast = useToast();
  const name = useStoreValue(castState, (now) => now.name);
  const { media_url: file } = video;
  const proxy = useRef<CastProxy | null>(null);
  const onCastError = useEffectEvent(() => {
    const { host } = location;
    showToast(t`The TV couldn’t play this video. It must be able to reach ${host} and support the file’s encoding.`, {
      isDanger: true,
    });
    stopCasting();
  });
  const [create, setCreate] = useState<typeof createCastProxy>();
  useEffect(() => {
    if (name === null || create) return;
    void import('./cast-proxy.ts').then(({ createCastProxy: loaded }) => setCreate(() => loaded), onCastError);
  }, [name, create]);
  useLayoutEffect(() => {
    const sender = getSender();
    if (!element || name === null || !sender || !create) return;
    const now = create(element, sender, onCastError);
    proxy.current = now;
    return () => {
      now.end();
      proxy.current = null;
    };
  }, [element, name, create]);
  // Before use-playback.ts sets the position of the next video.
  useLayoutEffect(() => proxy.current?.expectNext(), [file]);
  const load = useEffectEvent(async (signal: AbortSignal, _file: string) => {
    try {
      const links = await call('GET /api/video/:id/link/', { params: { id: video.youtube_id }, signal });
      if (!signal.aborted) await proxy.current?.load(video, links);
    } catch {
      if (!signal.aborted) onCastError();
    }
  });
  useEffect(() => {
    if (!element || name === null || !create) return;
    const ending = new AbortController();
    void load(ending.signal, file);
    return () => ending.abort();
  }, [element, name, file, create]);
}
