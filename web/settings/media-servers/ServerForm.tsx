import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { MediaServer, MediaServerKind, MediaServerTest } from '#contract/media-server.ts';
import type { View } from '#contract/view.ts';
import { call } from '#web/api/call.ts';
import { invalidateTopics } from '#web/api/client.ts';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { Field, Select } from '#web/ui/Field.tsx';
import { Form } from '#web/ui/Form.tsx';
import { UnsavedChanges } from '#web/ui/UnsavedChanges.tsx';
import { Section } from '#web/setting-fields/Section.tsx';
import { ActionRow } from '#web/ui/ActionRow.tsx';
import { FieldColumns } from '#web/setting-fields/FieldColumns.tsx';
import { Persons, type PersonDraft } from './Persons.tsx';
import { PlaylistChoice } from './PlaylistChoice.tsx';
import { addressExample, kindNames, tokenHelp } from './server-texts.ts';
import { TestResult } from './TestResult.tsx';
import styles from './MediaServers.module.css';

interface Mapping {
  from: string;
  to: string;
}

/** Pairs of the folder of a view and the same folder on the server. */
function Mappings({ mappings, roots, onChange }: { mappings: Mapping[]; roots: string[]; onChange(mappings: Mapping[]): void }) {
  const { t } = useLingui();
  const change = (index: number, part: Partial<Mapping>) =>
    onChange(mappings.map((mapping, place) => (place === index ? { ...mapping, ...part } : mapping)));
  const unused = roots.find((root) => !mappings.some(({ from }) => from === root));
  return (
    <fieldset className={styles.part}>
      <legend>
        <Trans>Folders</Trans>
      </legend>
      <p className={styles.help}>
        <Trans>The folder of a library view, and the same folder as the server sees it, for example in its container.</Trans>
      </p>
      {mappings.map(({ from, to }, index) => (
        <div key={index} className={styles.mapping}>
          <Select
            label={t`Library view`}
            choices={[...new Set([...roots, from])].map((root) => ({ value: root, label: root }))}
            value={from}
            onChange={(event) => change(index, { from: event.target.value })}
          />
          <Field
            label={t`Folder on the server`}
            value={to}
            required
            maxLength={1000}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="/media/reelkeep"
            onChange={(event) => change(index, { to: event.target.value })}
          />
          {mappings.length > 1 && (
            <IconButton
              label={t`Remove the folder ${from}`}
              onClick={() => onChange(mappings.filter((_, place) => place !== index))}
            >
              <IconX aria-hidden />
            </IconButton>
          )}
        </div>
      ))}
      {unused !== undefined && (
        <div>
          <Button size="s" icon={<IconPlus aria-hidden />} onClick={() => onChange([...mappings, { from: unused, to: '' }])}>
            <Trans>Add folder</Trans>
          </Button>
        </div>
      )}
    </fieldset>
  );
}

const draftOf = (server: MediaServer | null, views: View[]) => ({
  kind: server?.kind ?? ('jellyfin' as MediaServerKind),
  name: server?.name ?? '',
  address: server?.address ?? '',
  token: '',
  mappings: server?.mappings ?? [{ from: views[0]!.root, to: '' }],
  persons: (server?.persons ?? []).map(({ account, user, user_name }): PersonDraft => ({ account, user, user_name })),
  playlists: (server?.playlists ?? []).map(({ id, name }) => ({ id, name })),
});

interface Props {
  /** The server to change; null for a new one. */
  server: MediaServer | null;
  views: View[];
  /** Called with a server that was added: its users and playlists can be chosen now. */
  onAdded(server: MediaServer, test: MediaServerTest | null): void;
  /** Result of the test after the server was added. */
  test: MediaServerTest | null;
  onDone(): void;
}

/** Adds a server and tests it, or changes one. */
export function ServerForm({ server, views, onAdded, test, onDone }: Props) {
  const { t } = useLingui();
  const [draft, setDraft] = useState(() => draftOf(server, views));
  const set = (change: Partial<typeof draft>) => setDraft({ ...draft, ...change });
  const { kind, name, address, token, mappings, persons, playlists } = draft;
  const save = useMutation({
    mutationFn: async () => {
      const settings = { name, address, mappings };
      if (!server) {
        const created = await call('POST /api/media-server/', { body: { ...settings, kind, token } });
        const tested = call('POST /api/media-server/:id/test/', { params: { id: String(created.id) } });
        onAdded(created, await tested.catch(() => null));
        return;
      }
      await call('POST /api/media-server/:id/', {
        params: { id: String(server.id) },
        body: { ...settings, ...(token !== '' && { token }), persons, playlists: playlists.map(({ id }) => id) },
      });
      onDone();
    },
    onSettled: () => invalidateTopics('media-server'),
  });
  const isMoved = server !== null && address.replace(/\/+$/, '') !== server.address;
  return (
    <Section id="media-server-form" title={server ? t`Change ${server.name}` : t`Add media server`}>
      <Form onSubmit={() => save.mutate()}>
        {test && <TestResult result={test} />}
        <FieldColumns>
          <Select
            label={t`Kind`}
            disabled={server !== null}
            choices={Object.entries(kindNames).map(([value, label]) => ({ value, label }))}
            value={kind}
            onChange={(event) => set({ kind: event.target.value as MediaServerKind })}
          />
          <Field
            label={t`Name`}
            value={name}
            autoFocus
            required
            maxLength={100}
            autoComplete="off"
            placeholder={kindNames[kind]}
            onChange={(event) => set({ name: event.target.value })}
          />
          <Field
            label={t`Address`}
            type="url"
            value={address}
            required
            maxLength={2000}
            autoComplete="off"
            placeholder={addressExample[kind]}
            help={t`Reelkeep may then connect to this host and port, also in your own network.`}
            onChange={(event) => set({ address: event.target.value })}
          />
          <Field
            label={kind === 'kodi' ? t`User and password` : t`Token`}
            type="password"
            value={token}
            required={server === null || isMoved || !server.has_token}
            maxLength={1000}
            autoComplete="off"
            placeholder={server?.has_token && !isMoved ? t`unchanged` : kind === 'kodi' ? 'kodi:password' : ''}
            help={t(tokenHelp[kind])}
            onChange={(event) => set({ token: event.target.value })}
          />
        </FieldColumns>
        <Mappings mappings={mappings} roots={views.map(({ root }) => root)} onChange={(next) => set({ mappings: next })} />
        {server && <Persons server={server} persons={persons} onChange={(next) => set({ persons: next })} />}
        {server && kind !== 'kodi' && (
          <PlaylistChoice server={server} playlists={playlists} onChange={(next) => set({ playlists: next })} />
        )}
        <UnsavedChanges isChanged={JSON.stringify(draft) !== JSON.stringify(draftOf(server, views))} />
        {save.isError && <Callout kind="danger">{save.error.message}</Callout>}
        <ActionRow>
          <Button type="submit" kind="primary" isBusy={save.isPending}>
            {server ? <Trans>Save</Trans> : <Trans>Add and test</Trans>}
          </Button>
          <Button onClick={onDone}>
            <Trans>Cancel</Trans>
          </Button>
        </ActionRow>
      </Form>
    </Section>
  );
}
