import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field, Switch } from '#web/ui/Field.tsx';
import { Form } from '#web/ui/Form.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useWithConfirmation } from '#web/confirm/ReauthProvider.tsx';
import { usersQuery } from '#web/api/queries/user-admin.ts';
import { Section } from '#web/setting-fields/Section.tsx';
import { ActionRow } from '#web/ui/ActionRow.tsx';
import { RevealOnce } from '../account/RevealOnce.tsx';

/** Creates an account. An empty password field generates one. */
export function AddUser() {
  const { t } = useLingui();
  const showToast = useToast();
  const withConfirmation = useWithConfirmation();
  const form = useRef<HTMLFormElement>(null);
  const [isStaff, setIsStaff] = useState(false);
  const [generated, setGenerated] = useState<{ name: string; password: string }>();
  const add = useMutation({
    mutationFn: (body: { username: string; password: string | null; is_staff: boolean }) =>
      withConfirmation((confirm) => call('POST /api/users/', { body, ...confirm })),
    onSuccess: ({ user, password }) => {
      form.current?.reset();
      setIsStaff(false);
      if (password) setGenerated({ name: user.name, password });
      else showToast(t`${user.name} can log in now.`);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: usersQuery.queryKey }),
  });
  return (
    <Section id="add-user" title={t`Add user`}>
      <Form
        ref={form}
        onSubmit={(values) => {
          add.mutate({
            username: String(values.get('person')),
            password: String(values.get('word')) || null,
            is_staff: isStaff,
          });
        }}
      >
        {add.isError && <Callout kind="danger">{add.error.message}</Callout>}
        <Field
          label={t`Name`}
          name="person"
          maxLength={150}
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Field
          label={t`Password`}
          name="word"
          type="password"
          minLength={8}
          autoComplete="new-password"
          help={t`Leave empty to generate one (shown once).`}
        />
        <Switch
          label={t`Administrator`}
          help={t`Can subscribe, download, delete and change settings. Others can only watch.`}
          isOn={isStaff}
          onChange={setIsStaff}
        />
        <ActionRow>
          <Button type="submit" kind="primary" isBusy={add.isPending}>
            <Trans>Add</Trans>
          </Button>
        </ActionRow>
      </Form>
      {generated && (
        <RevealOnce
          title={t`Password for ${generated.name}`}
          text={t`Copy it now – it won’t be shown again. They’ll set their own at first login.`}
          secret={generated.password}
          onClose={() => setGenerated(undefined)}
        />
      )}
    </Section>
  );
}
