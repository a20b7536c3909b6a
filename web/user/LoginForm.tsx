import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { Field, Switch } from '#web/ui/Field.tsx';
import { Note } from '#web/ui/Note.tsx';
import { logIn } from './queries.ts';
import styles from './Login.module.css';

/** Name, password, and whether to be remembered. */
export function LoginForm({ onDone, disabled = false }: { onDone(): void; disabled?: boolean }) {
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
          <strong>Failed to login.</strong> {login.error.message}
        </Note>
      )}
      <Field
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        autoFocus
        disabled={disabled}
      />
      <Field label="Password" name="password" type="password" autoComplete="current-password" required disabled={disabled} />
      <Switch label="Remember me" isOn={isRemembered} onChange={setIsRemembered} disabled={disabled} />
      <Button type="submit" kind="primary" isBusy={login.isPending} disabled={disabled}>
        Log in
      </Button>
    </form>
  );
}
