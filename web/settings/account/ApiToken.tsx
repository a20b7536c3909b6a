import { useAction } from '#web/confirm/use-action.ts';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconEye, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { useWithConfirmation } from '#web/confirm/ReauthProvider.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { Section } from '#web/setting-fields/Section.tsx';
import { ActionRow } from '#web/ui/ActionRow.tsx';

const key = ['user', 'token'];

/** The single readable API token that TubeArchivist clients use. */
export function ApiToken() {
  const { t } = useLingui();
  const [isShown, setIsShown] = useState(false);
  const showToast = useToast();
  // Asked when there is no token yet.
  const withConfirmation = useWithConfirmation();
  const token = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => withConfirmation((confirm) => call('GET /api/appsettings/token/', { signal, ...confirm })),
    retry: false,
    enabled: isShown,
  });
  const revoke = useAction(() => call('DELETE /api/appsettings/token/', {}), {
    onSuccess: () => {
      setIsShown(false);
      queryClient.removeQueries({ queryKey: key });
      showToast(t`Token revoked. “Show” creates a new one.`);
    },
  });
  const show = () => {
    if (token.isError) void token.refetch();
    setIsShown(true);
  };
  return (
    <Section
      id="api-token"
      title={t`API token`}
      text={
        <Trans>
          For the browser extension and other clients. Anyone with this token can do everything you can, except manage tokens,
          users and passwords.
        </Trans>
      }
    >
      {isShown && token.isError && <Callout kind="danger">{token.error.message}</Callout>}
      {isShown && token.data && (
        <Field label={t`Token`} readOnly value={token.data.token} onFocus={(event) => event.target.select()} />
      )}
      <ActionRow>
        {isShown && token.data ? (
          <CopyButton text={token.data.token} label={t`Copy token`} />
        ) : (
          <Button size="s" icon={<IconEye aria-hidden />} isBusy={token.isFetching} onClick={show}>
            <Trans>Show</Trans>
          </Button>
        )}
        <Button size="s" kind="danger" icon={<IconTrash aria-hidden />} isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
          <Trans>Revoke</Trans>
        </Button>
      </ActionRow>
    </Section>
  );
}
