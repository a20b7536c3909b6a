import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { useIsStaff } from '#web/user/queries.ts';

/** Staff may have a file packed anew so that more browsers open it: nothing of its picture or sound is changed by that. */
export function RemuxOffer({ video }: { video: Video }) {
  const { t } = useLingui();
  const isStaff = useIsStaff();
  const remux = useMutation({
    mutationFn: () => call('POST /api/video/:id/remux/', { params: { id: video.youtube_id } }),
  });
  if (!isStaff) return null;
  if (remux.isSuccess)
    return (
      <span role="status">
        <Trans>It is packed anew in the background; it plays here when that is done.</Trans>
      </span>
    );
  return (
    <button type="button" disabled={remux.isPending} onClick={() => remux.mutate()}>
      {remux.isError ? t`Pack as MP4: ${remux.error.message}` : t`Pack as MP4 (lossless)`}
    </button>
  );
}
