import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { call } from '#web/api/call.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Note } from '#web/ui/Note.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useConfirming } from '#web/user/Confirming.tsx';
import { NewPasswordField } from '#web/user/NewPasswordField.tsx';
import { accountQuery, waysIn } from '#web/user/queries.ts';
import { Section } from './Section.tsx';
import styles from './Settings.module.css';

/** For who has an account at the provider as well: from then on it opens this one here. */
function LoginElsewhere({ with: provider }: { with: string }) {
  const confirming = useConfirming();
  const link = useMutation({
    mutationFn: () =>
      confirming((confirm) => call('POST /api/user/oidc/link/', { body: { next: '/settings/user/' }, ...confirm })),
    onSuccess: ({ address }) => location.assign(address),
  });
  return (
    <>
      {link.isError && <Note kind="danger">{link.error.message}</Note>}
      <p className={styles.actions}>
        <Button isBusy={link.isPending} onClick={() => link.mutate()}>
          <Trans>Log in with {provider} from now on</Trans>
        </Button>
      </p>
    </>
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
