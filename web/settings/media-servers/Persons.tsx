import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { MediaServer } from '#contract/media-server.ts';
import { serverUsersQuery } from '#web/api/queries/media-server.ts';
import { usersQuery } from '#web/api/queries/user-admin.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { Callout } from '#web/ui/Callout.tsx';
import { Field, Select } from '#web/ui/Field.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import styles from './MediaServers.module.css';

export interface PersonDraft {
  account: number;
  user: string;
  user_name: string;
  token?: string;
}

// The account of the owner, whose token is that of the server.
const plexOwner = '1';

interface Props {
  server: MediaServer;
  persons: PersonDraft[];
  onChange(persons: PersonDraft[]): void;
}

/** Chooses which user of the server each account is. */
export function Persons({ server, persons, onChange }: Props) {
  const { t } = useLingui();
  const { data: accounts = [] } = useQuery(usersQuery);
  const query = useQuery(serverUsersQuery(server.id));
  const set = (person: PersonDraft) => onChange([...persons.filter(({ account }) => account !== person.account), person]);
  return (
    <fieldset className={styles.part}>
      <legend>
        <Trans>Users</Trans>
      </legend>
      <p className={styles.help}>
        <Trans>
          Watched marks and positions are kept the same on both sides. At first they are merged: what was watched on one side
          counts as watched.
        </Trans>
        {server.kind === 'kodi' && (
          <>
            {' '}
            <Trans>Kodi has a single watch state. Choose the user it belongs to.</Trans>
          </>
        )}
      </p>
      <QueryBoundary query={query} skeleton={60}>
        {({ data: users }) => (
          <ul className={styles.persons}>
            {accounts.map(({ id, name }) => {
              const chosen = persons.find(({ account }) => account === id);
              const saved = server.persons.find(({ account }) => account === id);
              const taken = new Set(persons.filter(({ account }) => account !== id).map(({ user }) => user));
              const isGone = chosen && !users.some((user) => user.id === chosen.user);
              const choices = [
                { value: '', label: t`Not synchronized` },
                ...users.filter((user) => !taken.has(user.id)).map((user) => ({ value: user.id, label: user.name })),
                ...(isGone ? [{ value: chosen.user, label: t`${chosen.user_name} (deleted)` }] : []),
              ];
              return (
                <li key={id}>
                  <Select
                    label={name}
                    choices={choices}
                    value={chosen?.user ?? ''}
                    onChange={({ target: { value } }) => {
                      const user = users.find((one) => one.id === value);
                      if (user) set({ account: id, user: user.id, user_name: user.name });
                      else onChange(persons.filter(({ account }) => account !== id));
                    }}
                  />
                  {chosen && server.kind === 'plex' && (
                    <Field
                      label={t`Token of ${name}`}
                      type="password"
                      required={chosen.user !== plexOwner && !(saved?.has_token && saved.user === chosen.user)}
                      autoComplete="off"
                      value={chosen.token ?? ''}
                      placeholder={saved?.has_token && saved.user === chosen.user ? t`unchanged` : ''}
                      help={t`Only the owner of the server needs none`}
                      onChange={({ target: { value } }) => {
                        const { token: _, ...rest } = chosen;
                        set(value === '' ? rest : { ...rest, token: value });
                      }}
                    />
                  )}
                  {saved?.problem && <Callout kind="danger">{messageText(saved.problem_messages, saved.problem)}</Callout>}
                </li>
              );
            })}
          </ul>
        )}
      </QueryBoundary>
    </fieldset>
  );
}
