import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '#web/api/call.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field, Switch } from '#web/ui/Field.tsx';
import { Note } from '#web/ui/Note.tsx';
import { NewPasswordField } from './NewPasswordField.tsx';
import { logIn } from './queries.ts';
import styles from './Login.module.css';

/** Whether the password was made for somebody, who has to choose one of their own. */
const mustChoose = (error: unknown) =>
  error instanceof ApiError && (error.body as { must_choose_password?: boolean } | null)?.must_choose_password === true;

/** Name, password, and whether to be remembered; a password of one's own where the given one was made for somebody. */
export function LoginForm({ onDone, disabled = false }: { onDone(): void; disabled?: boolean }) {
  const { t } = useLingui();
  const [isRemembered, setIsRemembered] = useState(true);
  const [isChoosing, setIsChoosing] = useState(false);
  const login = useMutation({
    mutationFn: logIn,
    onSuccess: onDone,
    onError: (error) => setIsChoosing((before) => before || mustChoose(error)),
  });
  const isFirstWord = mustChoose(login.error) && login.variables?.new_password === undefined;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        const said = new FormData(event.currentTarget);
        login.mutate({
          username: String(said.get('username')),
          password: String(said.get('password')),
          remember_me: isRemembered ? 'on' : 'off',
          ...(isChoosing && { new_password: String(said.get('new_password')) }),
        });
      }}
    >
      {isFirstWord ? (
        <Note>{login.error?.message}</Note>
      ) : (
        login.isError && (
          <Note kind="danger">
            <strong>
              <Trans>Failed to login.</Trans>
            </strong>{' '}
            {login.error.message || t`Unknown Error`}
          </Note>
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
        label={isChoosing ? t`Password that was made for you` : t`Password`}
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
    </form>
  );
}
