import { useAction } from '#web/confirm/use-action.ts';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconKey } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { Scope } from '#contract/endpoint.ts';
import { useIsStaff } from '#web/api/account.ts';
import { call } from '#web/api/call.ts';
import { agoText, dayText } from '#web/format/dates.ts';
import { RelativeTime } from '#web/format/RelativeTime.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Field, Select, Switch } from '#web/ui/Field.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { Form } from '#web/ui/Form.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import styles from './NamedTokens.module.css';
import { Section } from '#web/setting-fields/Section.tsx';
import { EntryRow } from '#web/setting-fields/EntryRow.tsx';
import { RevealOnce } from './RevealOnce.tsx';
import { refreshTokens, tokensQuery, useCreateToken } from './use-create-token.ts';

const scopeTexts: Record<Scope, { label: MessageDescriptor; help: MessageDescriptor; isForStaff?: true }> = {
  read: { label: msg`Read`, help: msg`Browse, search and play.` },
  watch: { label: msg`Watch states`, help: msg`Read, save positions and mark videos as watched.` },
  download: { label: msg`Add downloads`, help: msg`See the queue and add to it.`, isForStaff: true },
  notes: { label: msg`Notes`, help: msg`Read and write your notes, and make clips. They are not part of “Everything”.` },
  staff: { label: msg`Everything`, help: msg`All you may do, except managing tokens, users and passwords.` },
};
const scopes = Object.keys(scopeTexts) as Scope[];
const initialScopes: Scope[] = ['read', 'watch'];

/** Named API tokens: one per app, revocable separately and limited to scopes. */
export function NamedTokens() {
  const { t } = useLingui();
  const showToast = useToast();
  const form = useRef<HTMLFormElement>(null);
  const [newToken, setNewToken] = useState<{ name: string; token: string }>();
  const [chosen, setChosen] = useState(initialScopes);
  const isStaff = useIsStaff();
  const query = useQuery(tokensQuery);
  const create = useCreateToken(({ name, token }) => {
    form.current?.reset();
    setChosen(initialScopes);
    setNewToken({ name, token });
  });
  const revoke = useAction(
    ({ id }: { id: number; name: string }) => call('DELETE /api/user/tokens/:id/', { params: { id: String(id) } }),
    {
      onSuccess: (_, { name }) => showToast(t`Token “${name}” revoked.`),
      onSettled: refreshTokens,
    },
  );
  return (
    <Section
      id="tokens"
      title={t`App tokens`}
      text={
        <Trans>
          Create one per app so you can revoke it separately. A token may do only what you choose here, and never manages tokens,
          users or passwords.
        </Trans>
      }
    >
      <QueryBoundary query={query} skeleton={220}>
        {(tokens) => (
          <>
            {tokens.length > 0 && (
              <ul>
                {tokens.map(({ id, name, created, last_used: used, expires, scopes: own }) => (
                  <EntryRow
                    key={id}
                    icon={<IconKey aria-hidden />}
                    name={name}
                    facts={
                      <>
                        <span>{own.map((scope) => t(scopeTexts[scope].label)).join(', ')}</span>
                        <span>{used === null ? t`never used` : t`used ${agoText(used)}`}</span>
                        <RelativeTime at={created}>{t`created ${agoText(created)}`}</RelativeTime>
                        {expires !== null && <span>{t`expires ${dayText(expires)}`}</span>}
                      </>
                    }
                  >
                    <Button size="s" kind="danger" aria-label={t`Revoke: ${name}`} onClick={() => revoke.mutate({ id, name })}>
                      <Trans>Revoke</Trans>
                    </Button>
                  </EntryRow>
                ))}
              </ul>
            )}
            <Form
              ref={form}
              className={styles.form}
              onSubmit={(values) =>
                create.mutate({
                  name: String(values.get('name')),
                  days: Number(values.get('days')) || null,
                  scopes: chosen,
                })
              }
            >
              <Field label={t`App name`} name="name" placeholder="Kodi" maxLength={100} required autoComplete="off" />
              <Select
                label={t`Expires`}
                name="days"
                choices={[
                  { value: '0', label: t`Never` },
                  { value: '30', label: t`In 30 days` },
                  { value: '365', label: t`In a year` },
                ]}
              />
              <fieldset className={styles.switches}>
                <legend>{t`The app may`}</legend>
                {scopes
                  .filter((scope) => isStaff || !scopeTexts[scope].isForStaff)
                  .map((scope) => (
                    <Switch
                      key={scope}
                      label={t(scopeTexts[scope].label)}
                      help={t(scopeTexts[scope].help)}
                      isOn={chosen.includes(scope)}
                      onChange={(isOn) => setChosen(isOn ? [...chosen, scope] : chosen.filter((one) => one !== scope))}
                    />
                  ))}
              </fieldset>
              <Button type="submit" isBusy={create.isPending} disabled={chosen.length === 0}>
                <Trans>Create token</Trans>
              </Button>
            </Form>
          </>
        )}
      </QueryBoundary>
      {create.isError && <Callout kind="danger">{create.error.message}</Callout>}
      {newToken && (
        <RevealOnce
          title={t`Token for ${newToken.name}`}
          text={t`Paste it into the app now. It won’t be shown again; only a hash is stored.`}
          secret={newToken.token}
          onClose={() => setNewToken(undefined)}
        />
      )}
    </Section>
  );
}
