import { Trans, useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import type { Scope } from '#contract/endpoint.ts';
import { useIsStaff } from '#web/api/account.ts';
import { addressOf } from '#web/api/call.ts';
import { Section } from '#web/setting-fields/Section.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { Field, Select, Switch } from '#web/ui/Field.tsx';
import { Form } from '#web/ui/Form.tsx';
import styles from './NamedTokens.module.css';
import { RevealOnce } from './RevealOnce.tsx';
import { useCreateToken } from './use-create-token.ts';

/** The entry of this archive in the configuration of an assistant. */
const configurationWith = (token: string) =>
  JSON.stringify(
    {
      mcpServers: {
        reelkeep: { type: 'http', url: addressOf('/mcp'), headers: { Authorization: `Bearer ${token}` } },
      },
    },
    null,
    2,
  );

/** Creates a token for an assistant, and shows the configuration with it once. */
export function ConnectAssistant() {
  const { t } = useLingui();
  const isStaff = useIsStaff();
  const form = useRef<HTMLFormElement>(null);
  const [token, setToken] = useState<string>();
  const [hasNotes, setHasNotes] = useState(false);
  const [hasDownloads, setHasDownloads] = useState(false);
  const create = useCreateToken((created) => {
    form.current?.reset();
    setHasNotes(false);
    setHasDownloads(false);
    setToken(created.token);
  });
  return (
    <Section
      id="assistants"
      title={t`Connect an assistant`}
      text={
        <Trans>
          An assistant that speaks the Model Context Protocol (MCP) can search this archive, read transcripts and link to the
          second. What it reads goes to the provider of its language model.
        </Trans>
      }
    >
      <Form
        ref={form}
        className={styles.form}
        onSubmit={(values) => {
          const scopes: Scope[] = [
            'read',
            ...(hasNotes ? ['notes' as const] : []),
            ...(hasDownloads ? ['download' as const] : []),
          ];
          create.mutate({ name: String(values.get('name')), days: Number(values.get('days')), scopes });
        }}
      >
        <Field label={t`Name of the assistant`} name="name" maxLength={100} required autoComplete="off" />
        <Select
          label={t`Expires`}
          name="days"
          choices={[
            { value: '365', label: t`In a year` },
            { value: '30', label: t`In 30 days` },
          ]}
        />
        <fieldset className={styles.switches}>
          <legend>{t`The assistant may also`}</legend>
          <Switch label={t`Read and write your notes`} isOn={hasNotes} onChange={setHasNotes} />
          {isStaff && <Switch label={t`Add downloads to the queue`} isOn={hasDownloads} onChange={setHasDownloads} />}
        </fieldset>
        <Button type="submit" isBusy={create.isPending}>
          <Trans>Connect</Trans>
        </Button>
      </Form>
      {create.isError && <Callout kind="danger">{create.error.message}</Callout>}
      {token !== undefined && (
        <RevealOnce
          title={t`Configuration of the assistant`}
          text={t`Paste it into the settings of the assistant now. It contains a token and won’t be shown again.`}
          secret={configurationWith(token)}
          onClose={() => setToken(undefined)}
        />
      )}
    </Section>
  );
}
