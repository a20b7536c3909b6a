import { Plural, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconUser, IconUserShield } from '@tabler/icons-react';
import { agoText } from '#web/format/dates.ts';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { accountQuery } from '#web/api/account.ts';
import { Cards } from '#web/setting-fields/Card.tsx';
import { EntryRow } from '#web/setting-fields/EntryRow.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { AddUser } from './AddUser.tsx';
import { usersQuery } from '#web/api/queries/user-admin.ts';
import { OwnActions, UserActions } from './UserActions.tsx';
import { Section } from '#web/setting-fields/Section.tsx';

/** All accounts, for administrators. */
export function Users() {
  const { t } = useLingui();
  const query = useQuery(usersQuery);
  const { data: me } = useQuery(accountQuery);
  return (
    <Cards>
      <Section id="users" title={t`Users`}>
        <QueryBoundary query={query} skeleton={52}>
          {(users) => (
            <ul>
              {users.map((person) => (
                <EntryRow
                  key={person.id}
                  icon={person.is_staff ? <IconUserShield aria-hidden /> : <IconUser aria-hidden />}
                  name={person.name}
                  isDisabled={person.is_disabled}
                  facts={
                    <>
                      {person.id === me?.id && <Badge>{t`You`}</Badge>}
                      {person.is_disabled && <Badge isDanger>{t`Disabled`}</Badge>}
                      {person.is_staff && <Badge>{t`Administrator`}</Badge>}
                      {person.may_share && !person.is_staff && <Badge>{t`May share`}</Badge>}
                      {person.may_transcribe && !person.is_staff && <Badge>{t`May request transcripts`}</Badge>}
                      <span>{person.last_login === null ? t`never logged in` : t`logged in ${agoText(person.last_login)}`}</span>
                      <span>
                        <Plural value={person.watched} _0="nothing watched" one="# video watched" other="# videos watched" />
                      </span>
                      {!person.has_password && <span>{t`external login`}</span>}
                    </>
                  }
                >
                  {person.id === me?.id ? <OwnActions name={person.name} /> : <UserActions person={person} />}
                </EntryRow>
              ))}
            </ul>
          )}
        </QueryBoundary>
      </Section>
      {/* The length of the list above is unknown until then. */}
      {!query.isPending && <AddUser />}
    </Cards>
  );
}
