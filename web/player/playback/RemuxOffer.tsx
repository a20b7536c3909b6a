import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import type { Video } from '#contract/video.ts';
import { canPlay } from '../compatibility/can-play.ts';
import { isPlayableAfterRemux } from '../compatibility/after-remux.ts';
import { call } from '#web/api/call.ts';
import { useIsStaff } from '#web/api/account.ts';

/** Button for staff that remuxes a file to MP4 without encoding, if this browser can play it then. */
export function RemuxOffer({ video }: { video: Video }) {
  const { t } = useLingui();
  const isStaff = useIsStaff();
  const remux = useMutation({
    mutationFn: () => call('POST /api/video/:id/remux/', { params: { id: video.youtube_id } }),
  });
  if (!isStaff || !isPlayableAfterRemux(video, canPlay)) return null;
  if (remux.isSuccess)
    return (
      <span role="status">
        <Trans>Remuxing in the background. The video plays here when it is ready.</Trans>
      </span>
    );
  return (
    <button type="button" disabled={remux.isPending} onClick={() => remux.mutate()}>
      {remux.isError ? t`Remux to MP4: ${remux.error.message}` : t`Remux to MP4 (lossless)`}
    </button>
  );
}
