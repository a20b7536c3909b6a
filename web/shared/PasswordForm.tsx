import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import styles from './SharedPage.module.css';

/** Asks for the password of a share link. */
export function PasswordForm({ error, onSubmit }: { error: string | undefined; onSubmit(password: string): void }) {
  const { t } = useLingui();
  return (
    <form
      className={styles.notice}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(String(new FormData(event.currentTarget).get('password')));
      }}
    >
      <h1>
        <Trans>This link has a password</Trans>
      </h1>
      <Field label={t`Password`} name="password" type="password" required autoFocus autoComplete="current-password" />
      {error && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
      <Button kind="primary" type="submit">
        <Trans>Open</Trans>
      </Button>
    </form>
  );
}
