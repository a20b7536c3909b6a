import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconCast, IconCastOff } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { Video } from '#contract/video.ts';
import { settingsQuery } from '#web/settings/setting-queries.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { chooseTelevision, leaveTelevision, lookForTelevisions, television } from './google-cast.ts';
import { usePart } from './store.ts';
import { hasAirPlay, hasRemote, playFromLink, showAirPlay } from './cast.ts';
import { ControlButton } from './ControlButton.tsx';

interface Props {
  video: Video;
  element: HTMLVideoElement;
}

type Device = 'airplay' | 'remote' | null;

/** Watches for devices to play on. Answers what ends that. */
function watchDevices(element: HTMLVideoElement, onFound: (device: Device) => void): () => void {
  if (hasAirPlay(element)) {
    const look = (event: Event) =>
      onFound((event as Event & { availability: string }).availability === 'available' ? 'airplay' : null);
    element.addEventListener('webkitplaybacktargetavailabilitychanged', look);
    return () => element.removeEventListener('webkitplaybacktargetavailabilitychanged', look);
  }
  if (!hasRemote(element)) return () => {};
  let watch: number | undefined;
  // A browser that cannot watch for devices can still ask for one.
  element.remote
    .watchAvailability((isThere) => onFound(isThere ? 'remote' : null))
    .then(
      (id) => (watch = id),
      () => onFound('remote'),
    );
  return () => void (watch !== undefined && element.remote.cancelWatchAvailability(watch).catch(() => {}));
}

/** Plays on another device, where the settings allow it and there is one: by Google's sender, or by the browser's own way. */
export function CastButtons({ video, element }: Props) {
  const { t } = useLingui();
  const say = useToast();
  const { data: isWanted = false } = useQuery({
    ...settingsQuery,
    select: ({ application }) => application.enable_cast,
  });
  const [device, setDevice] = useState<Device>(null);
  const [hasSender, setHasSender] = useState<boolean | null>(null);
  const { isThere, name } = usePart(television, (now) => now);
  useEffect(() => {
    if (isWanted) void lookForTelevisions().then(setHasSender);
  }, [isWanted]);
  useEffect(() => (hasSender === false ? watchDevices(element, setDevice) : undefined), [element, hasSender]);
  if (!isWanted || !(hasSender ? isThere : device)) return null;
  const cast = async () => {
    try {
      if (hasSender) return name === null ? await chooseTelevision() : leaveTelevision();
      await playFromLink(element, video);
      if (device === 'airplay') showAirPlay(element);
      else await element.remote.prompt();
    } catch (error) {
      if ((error as Error).name !== 'NotAllowedError') say((error as Error).message, { isDanger: true });
    }
  };
  return (
    <ControlButton
      label={device === 'airplay' ? t`AirPlay` : name === null ? t`Play on a television` : t`Play here again`}
      onClick={cast}
    >
      {name === null ? <IconCast /> : <IconCastOff />}
    </ControlButton>
  );
}
