import { useAction } from '#web/confirm/use-action.ts';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '#web/api/account.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Switch } from '#web/ui/Field.tsx';
import { FieldAnchor } from '#web/setting-fields/FieldAnchor.tsx';
import { Section } from '#web/setting-fields/Section.tsx';

/** Whether library views and media servers may use the watch states of the user. */
export function WatchSharing() {
  const { t } = useLingui();
  const { data: account } = useQuery(accountQuery);
  const change = useAction(
    (shares_watch_state: boolean) => call('POST /api/user/watch-sharing/', { body: { shares_watch_state } }),
    { onSettled: () => queryClient.invalidateQueries({ queryKey: accountQuery.queryKey }) },
  );
  return (
    <Section
      id="watch-sharing"
      title={t`Watch state outside of Reelkeep`}
      text={
        <Trans>
          Administrators can write your watched videos and positions to library views, and synchronize them with your user of a
          media server, in both directions. Both need your consent, which you can withdraw here.
        </Trans>
      }
    >
      <FieldAnchor id="watch-state">
        <Switch
          label={t`Allow library views and media servers to use my watch state`}
          isOn={change.isPending ? change.variables : (account?.shares_watch_state ?? false)}
          onChange={(isOn) => change.mutate(isOn)}
        />
      </FieldAnchor>
    </Section>
  );
}
