import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field, Switch } from '#web/ui/Field.tsx';
import { Note } from '#web/ui/Note.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useConfirming } from '#web/user/Confirming.tsx';
import { peopleQuery } from './people-queries.ts';
import cards from './Settings.module.css';
import { ShownOnce } from './ShownOnce.tsx';

/** An account for somebody new, with a password of their own or one that is made up. */
export function AddPerson() {
  const { t } = useLingui();
  const say = useToast();
  const confirming = useConfirming();
  const form = useRef<HTMLFormElement>(null);
  const [isStaff, setIsStaff] = useState(false);
  const [made, setMade] = useState<{ name: string; password: string }>();
  const add = useMutation({
    mutationFn: (body: { username: string; password: string | null; is_staff: boolean }) =>
      confirming((confirm) => call('POST /api/user/people/', { body, ...confirm })),
    onSuccess: ({ person, password }) => {
      form.current?.reset();
      setIsStaff(false);
      if (password) setMade({ name: person.name, password });
      else say(t`${person.name} can log in now.`);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: peopleQuery.queryKey }),
  });
  return (
    <section className={cards.card}>
      <h2>
        <Trans>Add somebody</Trans>
      </h2>
      <form
        ref={form}
        className={cards.form}
        onSubmit={(event) => {
          event.preventDefault();
          const said = new FormData(event.currentTarget);
          add.mutate({ username: String(said.get('person')), password: String(said.get('word')) || null, is_staff: isStaff });
        }}
      >
        {add.isError && <Note kind="danger">{add.error.message}</Note>}
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
          help={t`Left empty, one is made up and shown once.`}
        />
        <Switch
          label={t`Staff`}
          help={t`Subscribes, downloads, deletes, and changes the settings of the archive. Others watch.`}
          isOn={isStaff}
          onChange={setIsStaff}
        />
        <div className={cards.actions}>
          <Button type="submit" kind="primary" isBusy={add.isPending}>
            <Trans>Add</Trans>
          </Button>
        </div>
      </form>
      {made && (
        <ShownOnce
          title={t`Password of ${made.name}`}
          words={t`Pass it on now, it is shown this once. With it they choose a password of their own.`}
          secret={made.password}
          onClose={() => setMade(undefined)}
        />
      )}
    </section>
  );
}
