import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconCast } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { Video } from '#contract/video.ts';
import { settingsQuery } from '#web/settings/setting-queries.ts';
import { useToast } from '#web/ui/toasts.tsx';
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

/** Plays on another device, where the settings allow it and there is one. */
export function CastButtons({ video, element }: Props) {
  const { t } = useLingui();
  const say = useToast();
  const { data: isWanted = false } = useQuery({
    ...settingsQuery,
    select: ({ application }) => application.enable_cast,
  });
  const [device, setDevice] = useState<Device>(null);
  useEffect(() => (isWanted ? watchDevices(element, setDevice) : undefined), [element, isWanted]);
  if (!device || !isWanted) return null;
  const cast = async () => {
    try {
      await playFromLink(element, video);
      if (device === 'airplay') showAirPlay(element);
      else await element.remote.prompt();
    } catch (error) {
      if ((error as Error).name !== 'NotAllowedError') say((error as Error).message, { isDanger: true });
    }
  };
  return (
    <ControlButton label={device === 'airplay' ? t`AirPlay` : t`Play on a television`} onClick={cast}>
      <IconCast />
    </ControlButton>
  );
}
