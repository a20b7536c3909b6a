import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, callAddress } from '#web/api/call.ts';
import { Form } from '#web/ui/Form.tsx';
import { Button, buttonClass } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { requiredReauth, type ConfirmationRequest, type ReauthMethod } from './confirmation-types.ts';
import { accountQuery, loginMethodsQuery } from '#web/api/account.ts';

/** Whether the dialog stays open: wrong password, too many attempts (429), or the server was not reached (0). */
const staysOpen = (error: unknown) =>
  requiredReauth(error) !== null || (error instanceof ApiError && (error.status === 429 || error.status === 0));

/** Asks for the password before an action that needs a recent login. Other errors are reported by the caller. */
export function ReauthDialog({ method, attempt, done, fail, cancel }: ConfirmationRequest & { method: ReauthMethod }) {
  const { t } = useLingui();
  const [typed, setTyped] = useState('');
  const retry = useMutation({
    mutationFn: () => attempt(method.by === 'password' ? { confirm: typed } : undefined),
    onSuccess: done,
    onError: (error) => !staysOpen(error) && fail(error),
  });
  return (
    <Dialog title={t`Confirm your identity`} onClose={cancel}>
      {method.by === 'password' ? (
        <PasswordForm typed={typed} onType={setTyped} retry={retry} onCancel={cancel} />
      ) : (
        <LoginInNewTab retry={retry} onCancel={cancel} />
      )}
    </Dialog>
  );
}

interface Props {
  retry: { mutate(): void; isPending: boolean; isError: boolean; error: Error | null };
  onCancel(): void;
}

function PasswordForm({ typed, onType, retry, onCancel }: Props & { typed: string; onType(typed: string): void }) {
  const { t } = useLingui();
  const { data: account } = useQuery(accountQuery);
  return (
    <Form onSubmit={() => retry.mutate()}>
      <p>
        <Trans>Please confirm your password to continue.</Trans>
      </p>
      {/* For password managers, which keep a name with what they keep. */}
      <input type="text" name="username" autoComplete="username" value={account?.name ?? ''} readOnly hidden />
      <Field
        label={t`Your password`}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        autoFocus
        problem={retry.error?.message}
        value={typed}
        onChange={({ target }) => onType(target.value)}
      />
      <DialogActions onCancel={onCancel}>
        <Button type="submit" kind="primary" isBusy={retry.isPending}>
          <Trans>Continue</Trans>
        </Button>
      </DialogActions>
    </Form>
  );
}

/** For accounts without a password: login in a new tab, so that this page keeps its input. */
function LoginInNewTab({ retry, onCancel }: Props) {
  const { data: loginMethods } = useQuery(loginMethodsQuery);
  return (
    <>
      <p>
        {loginMethods?.oidc ? (
          <Trans>
            This action needs a recent login. Log in again in a new tab, then return here and continue. Your input is kept.
          </Trans>
        ) : (
          <Trans>This action needs a recent login. Log out, log in again, then retry.</Trans>
        )}
      </p>
      {loginMethods?.oidc && (
        <p>
          <a
            className={buttonClass('primary')}
            href={callAddress('/api/user/oidc/reauthenticate/', {}, { next: '/logged-in/' })}
            target="_blank"
            rel="noopener"
          >
            <Trans>Log in again with {loginMethods.oidc}</Trans>
          </a>
        </p>
      )}
      {retry.isError && <Callout kind="danger">{retry.error?.message}</Callout>}
      <DialogActions onCancel={onCancel}>
        {loginMethods?.oidc && (
          <Button isBusy={retry.isPending} onClick={() => retry.mutate()}>
            <Trans>Continue</Trans>
          </Button>
        )}
      </DialogActions>
    </>
  );
}
