import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { Field, Switch } from '#web/ui/Field.tsx';
import { Note } from '#web/ui/Note.tsx';
import { logIn } from './queries.ts';
import styles from './Login.module.css';

/** Name, password, and whether to be remembered. */
export function LoginForm({ onDone, disabled = false }: { onDone(): void; disabled?: boolean }) {
  const { t } = useLingui();
  const [isRemembered, setIsRemembered] = useState(true);
  const login = useMutation({ mutationFn: logIn, onSuccess: onDone });
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
        });
      }}
    >
      {login.isError && (
        <Note kind="danger">
          <strong>
            <Trans>Failed to login.</Trans>
          </strong>{' '}
          {login.error.message || t`Unknown Error`}
        </Note>
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
      <Field label={t`Password`} name="password" type="password" autoComplete="current-password" required disabled={disabled} />
      <Switch label={t`Remember me`} isOn={isRemembered} onChange={setIsRemembered} disabled={disabled} />
      <Button type="submit" kind="primary" isBusy={login.isPending} disabled={disabled}>
        <Trans>Log in</Trans>
      </Button>
    </form>
  );
}
