import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { dateTimeText } from '#web/format/dates.ts';
import { Button } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { snapshotsQuery } from '#web/api/queries/backup.ts';
import { Section } from '#web/setting-fields/Section.tsx';
import { Muted } from '#web/setting-fields/Muted.tsx';
import { ActionRow } from '#web/ui/ActionRow.tsx';

/** Takes point-in-time copies of the database. */
export function Snapshots() {
  const { t } = useLingui();
  const query = useQuery({
    ...snapshotsQuery,
    refetchInterval: ({ state }) => (state.data?.snapshots.some((one) => one.state === 'IN_PROGRESS') ? 1000 : false),
  });
  const take = useMutation({
    mutationFn: () => call('POST /api/appsettings/snapshot/', {}),
    onSettled: () => queryClient.invalidateQueries({ queryKey: snapshotsQuery.queryKey }),
  });
  const isTaking = query.data?.snapshots.some(({ state }) => state === 'IN_PROGRESS') ?? false;
  return (
    <Section
      id="snapshots"
      title={t`Snapshots`}
      text={t`Database copies on the same disk – good for undoing mistakes. For disk failure keep a backup elsewhere.`}
    >
      {isTaking && <Callout>{t`Snapshot in progress`}</Callout>}
      {take.isError && <Callout kind="danger">{take.error.message}</Callout>}
      <ActionRow>
        <Button disabled={isTaking} isBusy={take.isPending} onClick={() => take.mutate()}>
          <Trans>Create snapshot</Trans>
        </Button>
      </ActionRow>
      {query.data && (
        <Muted>
          <Trans>
            Next: {dateTimeText(query.data.next_exec)}. Each is kept for {query.data.expire_after.replace('d', '')} days.
          </Trans>
        </Muted>
      )}
    </Section>
  );
}
