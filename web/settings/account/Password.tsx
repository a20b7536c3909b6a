import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field, Switch } from '#web/ui/Field.tsx';
import { Form } from '#web/ui/Form.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useWithConfirmation } from '#web/confirm/ReauthProvider.tsx';
import { NewPasswordField } from '#web/user/NewPasswordField.tsx';
import { accountQuery, loginMethodsQuery } from '#web/api/account.ts';
import { Section } from '#web/setting-fields/Section.tsx';
import { ActionRow } from '#web/ui/ActionRow.tsx';

/** Links the account with the OpenID provider, so that its login opens this account. */
function LinkExternalLogin({ with: provider }: { with: string }) {
  const withConfirmation = useWithConfirmation();
  const link = useMutation({
    mutationFn: () =>
      withConfirmation((confirm) => call('POST /api/user/oidc/link/', { body: { next: '/settings/user/' }, ...confirm })),
    onSuccess: ({ address }) => location.assign(address),
  });
  return (
    <>
      {link.isError && <Callout kind="danger">{link.error.message}</Callout>}
      <ActionRow>
        <Button isBusy={link.isPending} onClick={() => link.mutate()}>
          <Trans>Link account with {provider}</Trans>
        </Button>
      </ActionRow>
    </>
  );
}

export function Password() {
  const { t } = useLingui();
  const { data: account } = useQuery(accountQuery);
  const { data: loginMethods } = useQuery(loginMethodsQuery);
  const showToast = useToast();
  const form = useRef<HTMLFormElement>(null);
  const [endsAccess, setEndsAccess] = useState(true);
  const change = useMutation({
    mutationFn: (body: { current: string; next: string; end_access: boolean }) => call('POST /api/user/password/', { body }),
    onSuccess: () => {
      form.current?.reset();
      if (endsAccess) {
        queryClient.removeQueries({ queryKey: ['user', 'token'] });
        void queryClient.invalidateQueries();
      }
      showToast(t`Password changed. Your other devices are logged out.`);
    },
  });
  return (
    <Section id="password" title={t`Password`}>
      <Form
        ref={form}
        onSubmit={(values) =>
          change.mutate({ current: String(values.get('current')), next: String(values.get('next')), end_access: endsAccess })
        }
      >
        {change.isError && <Callout kind="danger">{change.error.message}</Callout>}
        {/* For password managers, which keep a name with what they keep. */}
        <input type="text" name="username" autoComplete="username" value={account?.name ?? ''} readOnly hidden />
        <Field label={t`Current password`} name="current" type="password" autoComplete="current-password" required />
        <NewPasswordField name="next" />
        <Switch label={t`Also end all tokens, feeds and share links`} isOn={endsAccess} onChange={setEndsAccess} />
        <ActionRow>
          <Button type="submit" isBusy={change.isPending}>
            <Trans>Change password</Trans>
          </Button>
        </ActionRow>
      </Form>
      {loginMethods?.oidc && <LinkExternalLogin with={loginMethods.oidc} />}
    </Section>
  );
}
