import { useAction } from '#web/confirm/use-action.ts';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { useStartTask } from '#web/api/queries/download.ts';
import { Button } from '#web/ui/Button.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { ActionRow } from '#web/ui/ActionRow.tsx';

/** Version of yt-dlp, with update and rollback. */
export function Ytdlp() {
  const { t } = useLingui();
  const showToast = useToast();
  const { data, refetch } = useQuery({
    queryKey: ['settings', 'ytdlp'],
    queryFn: ({ signal }) => call('GET /api/ytdlp/', { signal }),
  });
  const rollback = useAction(() => call('POST /api/ytdlp/rollback/', {}), { onSettled: () => refetch() });
  const update = useStartTask(() => showToast(t`Update started.`));
  if (!data) return <Skeleton height={86} />;
  return (
    <>
      <p>
        {t`Version ${data.version ?? t`none`}.`} {data.is_managed ? t`Updated by Reelkeep.` : t`Updated by the operating system.`}
        {data.pinned && ` ${t`Pinned to ${data.pinned}.`}`}
      </p>
      <ActionRow>
        <Button size="s" isBusy={update.isPending} onClick={() => update.mutate('update_ytdlp')}>
          <Trans>Update now</Trans>
        </Button>
        {data.previous && (
          <Button size="s" isBusy={rollback.isPending} onClick={() => rollback.mutate()}>
            <Trans>Roll back to {data.previous}</Trans>
          </Button>
        )}
      </ActionRow>
    </>
  );
}
