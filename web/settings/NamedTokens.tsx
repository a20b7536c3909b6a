import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconKey } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { agoText, dayText } from '#web/format/dates.ts';
import { Moment } from '#web/format/Moment.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Field, Select } from '#web/ui/Field.tsx';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Note } from '#web/ui/Note.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useConfirming } from '#web/user/Confirming.tsx';
import styles from './Rows.module.css';
import { Section } from './Section.tsx';
import { ShownOnce } from './ShownOnce.tsx';

const key = ['user', 'tokens'];

/** Tokens with names: one for each app, so that one can end without the others. */
export function NamedTokens() {
  const { t } = useLingui();
  const say = useToast();
  const confirming = useConfirming();
  const form = useRef<HTMLFormElement>(null);
  const [made, setMade] = useState<{ name: string; token: string }>();
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => call('GET /api/user/tokens/', { signal }) });
  const refresh = () => queryClient.invalidateQueries({ queryKey: key });
  const make = useMutation({
    mutationFn: (body: { name: string; days: number | null }) =>
      confirming((confirm) => call('POST /api/user/tokens/', { body, ...confirm })),
    onSuccess: ({ name, token }) => {
      form.current?.reset();
      setMade({ name, token });
    },
    onSettled: refresh,
  });
  const revoke = useMutation({
    mutationFn: ({ id }: { id: number; name: string }) => call('DELETE /api/user/tokens/:id/', { params: { id: String(id) } }),
    onSuccess: (_, { name }) => say(t`${name} is worthless from now on.`),
    onError: (error) => say(error.message, { isDanger: true }),
    onSettled: refresh,
  });
  return (
    <Section
      id="tokens"
      title={t`Tokens for apps`}
      words={
        <Trans>
          One for each app or script, so that one can be taken back without the others. A token does what you may, but manages no
          tokens, people or passwords.
        </Trans>
      }
    >
      <Loaded query={query} skeleton={<Skeleton height={48} />}>
        {(tokens) =>
          tokens.length > 0 && (
            <ul className={styles.list}>
              {tokens.map(({ id, name, created, last_used: used, expires }) => (
                <li key={id} className={styles.row}>
                  <IconKey aria-hidden />
                  <div className={styles.words}>
                    <strong>
                      <bdi>{name}</bdi>
                    </strong>
                    <p>
                      <span>{used === null ? t`never used` : t`used ${agoText(used)}`}</span>
                      <Moment at={created}>{t`made ${agoText(created)}`}</Moment>
                      {expires !== null && <span>{t`ends ${dayText(expires)}`}</span>}
                    </p>
                  </div>
                  <Button size="s" kind="danger" aria-label={t`Revoke: ${name}`} onClick={() => revoke.mutate({ id, name })}>
                    <Trans>Revoke</Trans>
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <form
        ref={form}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          const said = new FormData(event.currentTarget);
          const days = Number(said.get('days'));
          make.mutate({ name: String(said.get('name')), days: days || null });
        }}
      >
        <Field label={t`Name of the app`} name="name" placeholder="Kodi" maxLength={100} required autoComplete="off" />
        <Select
          label={t`Ends`}
          name="days"
          choices={[
            { value: '0', label: t`When it is revoked` },
            { value: '30', label: t`In 30 days` },
            { value: '365', label: t`In a year` },
          ]}
        />
        <Button type="submit" isBusy={make.isPending}>
          <Trans>Make a token</Trans>
        </Button>
      </form>
      {make.isError && <Note kind="danger">{make.error.message}</Note>}
      {made && (
        <ShownOnce
          title={t`Token for ${made.name}`}
          words={t`Paste it into the app now. It is shown this once: only a sum of it is kept.`}
          secret={made.token}
          onClose={() => setMade(undefined)}
        />
      )}
    </Section>
  );
}
