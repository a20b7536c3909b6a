import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconCast, IconCastOff } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { Video } from '#contract/video.ts';
import { settingsQuery } from '#web/api/queries/settings.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { startCasting, stopCasting, initCasting, castState } from '../state/google-cast.ts';
import { useStoreValue } from '#web/ui/create-store.ts';
import { supportsAirPlay, supportsRemotePlayback, playFromSignedUrl, openAirPlayPicker } from '../cast/cast.ts';
import { ControlButton } from './ControlButton.tsx';

interface Props {
  video: Video;
  element: HTMLVideoElement;
}

type Device = 'airplay' | 'remote' | null;

/** Watches for AirPlay and Remote Playback devices. Returns a cleanup function. */
function watchDevices(element: HTMLVideoElement, onFound: (device: Device) => void): () => void {
  if (supportsAirPlay(element)) {
    const update = (event: Event) =>
      onFound((event as Event & { availability: string }).availability === 'available' ? 'airplay' : null);
    element.addEventListener('webkitplaybacktargetavailabilitychanged', update);
    return () => element.removeEventListener('webkitplaybacktargetavailabilitychanged', update);
  }
  if (!supportsRemotePlayback(element)) return () => {};
  let watch: number | undefined;
  // Some browsers cannot watch for devices, but can still prompt for one.
  element.remote
    .watchAvailability((isThere) => onFound(isThere ? 'remote' : null))
    .then(
      (id) => (watch = id),
      () => onFound('remote'),
    );
  return () => void (watch !== undefined && element.remote.cancelWatchAvailability(watch).catch(() => {}));
}

/** Buttons for Google Cast, AirPlay and Remote Playback, if casting is enabled and a device is available. */
export function CastButtons({ video, element }: Props) {
  const { t } = useLingui();
  const showToast = useToast();
  const { data: isWanted = false } = useQuery({
    ...settingsQuery,
    select: ({ application }) => application.enable_cast,
  });
  const [device, setDevice] = useState<Device>(null);
  const [hasSender, setHasSender] = useState<boolean | null>(null);
  const { isThere, name } = useStoreValue(castState, (now) => now);
  useEffect(() => {
    if (isWanted) void initCasting().then(setHasSender);
  }, [isWanted]);
  useEffect(() => (hasSender === false ? watchDevices(element, setDevice) : undefined), [element, hasSender]);
  if (!isWanted || !(hasSender ? isThere : device)) return null;
  const cast = async () => {
    try {
      if (hasSender) return name === null ? await startCasting() : stopCasting();
      await playFromSignedUrl(element, video);
      if (device === 'airplay') openAirPlayPicker(element);
      else await element.remote.prompt();
    } catch (error) {
      if ((error as Error).name !== 'NotAllowedError') showToast((error as Error).message, { isDanger: true });
    }
  };
  return (
    <ControlButton label={device === 'airplay' ? t`AirPlay` : name === null ? t`Cast to a TV` : t`Stop casting`} onClick={cast}>
      {name === null ? <IconCast /> : <IconCastOff />}
    </ControlButton>
  );
}
