import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { AutoSaveField } from '#web/ui/AutoSaveField.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { FieldAnchor } from '#web/setting-fields/FieldAnchor.tsx';
import styles from './Membership.module.css';
import { ActionRow } from '#web/ui/ActionRow.tsx';

const key = ['settings', 'membership'];

function Profile() {
  const { t } = useLingui();
  const profile = useMutation({ mutationFn: () => call('GET /api/appsettings/membership/profile/', {}) });
  const sync = useMutation({ mutationFn: () => call('POST /api/appsettings/membership/sync/', {}) });
  const failed = sync.error ?? profile.error;
  const profileData = profile.data;
  return (
    <>
      {profileData && (
        <dl className={styles.facts}>
          <dt>{t`Name`}</dt>
          <dd>
            <bdi>{profileData.user.username}</bdi>
          </dd>
          <dt>{t`Tier`}</dt>
          <dd>
            <bdi>{profileData.sponsor_tier.name}</bdi>: <bdi>{profileData.sponsor_tier.description}</bdi>
          </dd>
          <dt>{t`Subscriptions`}</dt>
          <dd className="number">{t`${profileData.subscription_count} of ${profileData.sponsor_tier.max_subs}`}</dd>
        </dl>
      )}
      {sync.isSuccess && (
        <Callout>
          <Trans>Task created</Trans>
        </Callout>
      )}
      {failed && <Callout kind="danger">{t`Error: ${failed.message}`}</Callout>}
      <ActionRow>
        <Button isBusy={profile.isPending} onClick={() => profile.mutate()}>
          <Trans>Show profile</Trans>
        </Button>
        <Button isBusy={sync.isPending} onClick={() => sync.mutate()}>
          <Trans>Sync subscriptions</Trans>
        </Button>
      </ActionRow>
    </>
  );
}

/** TubeArchivist's membership service, which reports new uploads at once. */
export function Membership() {
  const { t } = useLingui();
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call('GET /api/appsettings/membership/token/', { signal }),
  });
  const save = (token: string) =>
    (token === ''
      ? call('DELETE /api/appsettings/membership/token/', {})
      : call('POST /api/appsettings/membership/token/', { body: { token }, keepalive: true })
    ).finally(() => queryClient.invalidateQueries({ queryKey: key }));
  return (
    <>
      <FieldAnchor id="membership-token">
        <AutoSaveField
          label={t`Membership token`}
          type="password"
          autoComplete="off"
          placeholder={data?.token ? t`Stored` : ''}
          isSecret
          saved=""
          format={(text) => text}
          parse={(text) => text.trim()}
          save={save}
          reset={data?.token ? '' : undefined}
        />
      </FieldAnchor>
      {error && <Callout kind="danger">{t`Error: ${error.message}`}</Callout>}
      {data?.token && <Profile />}
    </>
  );
}
