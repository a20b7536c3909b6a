import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '#web/api/call.ts';
import { Form } from '#web/ui/Form.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Field, Switch } from '#web/ui/Field.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { NewPasswordField } from './NewPasswordField.tsx';
import { logIn } from '#web/api/account.ts';

/** Whether the server requires the user to replace a generated password. */
const mustChoosePassword = (error: unknown) =>
  error instanceof ApiError && (error.body as { must_choose_password?: boolean } | null)?.must_choose_password === true;

/** Login form. Asks for a new password when the given one was generated. */
export function LoginForm({ onDone, disabled = false }: { onDone(): void; disabled?: boolean }) {
  const { t } = useLingui();
  const [isRemembered, setIsRemembered] = useState(true);
  const [isChoosing, setIsChoosing] = useState(false);
  const login = useMutation({
    mutationFn: logIn,
    onSuccess: onDone,
    onError: (error) => setIsChoosing((before) => before || mustChoosePassword(error)),
  });
  const isPasswordPrompt = mustChoosePassword(login.error) && login.variables?.new_password === undefined;
  return (
    <Form
      onSubmit={(values) =>
        login.mutate({
          username: String(values.get('username')),
          password: String(values.get('password')),
          remember_me: isRemembered ? 'on' : 'off',
          ...(isChoosing && { new_password: String(values.get('new_password')) }),
        })
      }
    >
      {isPasswordPrompt ? (
        <Callout>{login.error?.message}</Callout>
      ) : (
        login.isError && (
          <Callout kind="danger">
            <strong>
              <Trans>Failed to login.</Trans>
            </strong>{' '}
            {login.error.message || t`Unknown error`}
          </Callout>
        )
      )}
      <Field
        label={t`Username`}
        name="username"
        maxLength={150}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        autoFocus
        disabled={disabled}
      />
      <Field
        label={isChoosing ? t`Temporary password` : t`Password`}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        disabled={disabled}
      />
      {isChoosing && <NewPasswordField name="new_password" autoFocus disabled={disabled} />}
      <Switch label={t`Remember me`} isOn={isRemembered} onChange={setIsRemembered} disabled={disabled} />
      <Button type="submit" kind="primary" isBusy={login.isPending} disabled={disabled}>
        {isChoosing ? <Trans>Save and log in</Trans> : <Trans>Log in</Trans>}
      </Button>
    </Form>
  );
}
