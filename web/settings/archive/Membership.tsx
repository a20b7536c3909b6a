import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { FieldAnchor } from '../fields/FieldAnchor.tsx';
import styles from '../fields/Settings.module.css';

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
      <div className={styles.actions}>
        <Button isBusy={profile.isPending} onClick={() => profile.mutate()}>
          <Trans>Show profile</Trans>
        </Button>
        <Button isBusy={sync.isPending} onClick={() => sync.mutate()}>
          <Trans>Sync subscriptions</Trans>
        </Button>
      </div>
    </>
  );
}

/** TubeArchivist's membership service, which reports new uploads at once. */
export function Membership() {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call('GET /api/appsettings/membership/token/', { signal }),
  });
  const refresh = () => queryClient.invalidateQueries({ queryKey: key });
  const save = useMutation({
    mutationFn: () => call('POST /api/appsettings/membership/token/', { body: { token: text } }),
    onSuccess: () => setText(''),
    onSettled: refresh,
  });
  const remove = useMutation({ mutationFn: () => call('DELETE /api/appsettings/membership/token/', {}), onSettled: refresh });
  const failed = save.error ?? remove.error ?? error;
  return (
    <>
      <form
        className={styles.typed}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <FieldAnchor id="membership-token">
          <Field
            label={t`Membership token`}
            type="password"
            autoComplete="off"
            placeholder={data?.token ? t`Stored` : ''}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </FieldAnchor>
        <div className={styles.controls}>
          {text.trim() !== '' && (
            <Button type="submit" kind="primary" size="s" isBusy={save.isPending} aria-label={t`Update: Membership token`}>
              <Trans>Update</Trans>
            </Button>
          )}
          {data?.token && (
            <Button
              size="s"
              kind="quiet"
              isBusy={remove.isPending}
              onClick={() => remove.mutate()}
              aria-label={t`Reset: Membership token`}
            >
              <Trans>Reset</Trans>
            </Button>
          )}
        </div>
        {failed && <Callout kind="danger">{t`Error: ${failed.message}`}</Callout>}
      </form>
      {data?.token && <Profile />}
    </>
  );
}
