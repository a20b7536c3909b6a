import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { call, callAddress } from '#web/api/call.ts';
import { Button, buttonClass } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Note } from '#web/ui/Note.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { NewPasswordField } from '#web/user/NewPasswordField.tsx';
import { accountQuery, waysIn } from '#web/user/queries.ts';
import { Section } from './Section.tsx';
import styles from './Settings.module.css';

/** For who has an account at the provider as well: from then on it opens this one here. */
function LoginElsewhere({ with: provider }: { with: string }) {
  return (
    <p className={styles.actions}>
      <a className={buttonClass()} href={callAddress('/api/user/oidc/link/', {}, { next: '/settings/user/' })}>
        <Trans>Log in with {provider} from now on</Trans>
      </a>
    </p>
  );
}

/** Another password for this person. */
export function Password() {
  const { t } = useLingui();
  const { data: account } = useQuery(accountQuery);
  const { data: ways } = useQuery(waysIn);
  const say = useToast();
  const form = useRef<HTMLFormElement>(null);
  const change = useMutation({
    mutationFn: (body: { current: string; next: string }) => call('POST /api/user/password/', { body }),
    onSuccess: () => {
      form.current?.reset();
      say(t`Your password is changed. Your other devices are logged out.`);
    },
  });
  return (
    <Section id="password" title={t`Password`}>
      <form
        ref={form}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          const said = new FormData(event.currentTarget);
          change.mutate({ current: String(said.get('current')), next: String(said.get('next')) });
        }}
      >
        {change.isError && <Note kind="danger">{change.error.message}</Note>}
        {/* For password managers, which keep a name with what they keep. */}
        <input type="text" name="username" autoComplete="username" value={account?.name ?? ''} readOnly hidden />
        <Field label={t`Present password`} name="current" type="password" autoComplete="current-password" required />
        <NewPasswordField name="next" />
        <div className={styles.actions}>
          <Button type="submit" isBusy={change.isPending}>
            <Trans>Change password</Trans>
          </Button>
        </div>
      </form>
      {ways?.oidc && <LoginElsewhere with={ways.oidc} />}
    </Section>
  );
}
