import { Plural, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconUser, IconUserShield } from '@tabler/icons-react';
import { agoText } from '#web/format/dates.ts';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { accountQuery } from '#web/api/account.ts';
import { AddUser } from './AddUser.tsx';
import { usersQuery } from '#web/api/queries/user-admin.ts';
import { OwnActions, UserActions } from './UserActions.tsx';
import { Section } from '#web/setting-fields/Section.tsx';
import styles from '#web/setting-fields/Rows.module.css';
import cards from '#web/setting-fields/Settings.module.css';

/** All accounts, for administrators. */
export function Users() {
  const { t } = useLingui();
  const query = useQuery(usersQuery);
  const { data: me } = useQuery(accountQuery);
  return (
    <div className={cards.cards}>
      <Section id="users" title={t`Users`}>
        <QueryBoundary query={query} skeleton={<Skeleton height={52} />}>
          {(users) => (
            <ul className={styles.list}>
              {users.map((person) => (
                <li key={person.id} className={`${styles.row} ${person.is_disabled ? styles.disabled : ''}`}>
                  {person.is_staff ? <IconUserShield aria-hidden /> : <IconUser aria-hidden />}
                  <div className={styles.text}>
                    <strong>
                      <bdi>{person.name}</bdi>
                    </strong>
                    <p>
                      {person.id === me?.id && <span className={styles.badge}>{t`You`}</span>}
                      {person.is_disabled && <span className={styles.disabledBadge}>{t`Disabled`}</span>}
                      {person.is_staff && <span className={styles.badge}>{t`Administrator`}</span>}
                      {person.may_share && !person.is_staff && <span className={styles.badge}>{t`May share`}</span>}
                      <span>{person.last_login === null ? t`never logged in` : t`logged in ${agoText(person.last_login)}`}</span>
                      <span>
                        <Plural value={person.watched} _0="nothing watched" one="# video watched" other="# videos watched" />
                      </span>
                      {!person.has_password && <span>{t`external login`}</span>}
                    </p>
                  </div>
                  {person.id === me?.id ? <OwnActions name={person.name} /> : <UserActions person={person} />}
                </li>
              ))}
            </ul>
          )}
        </QueryBoundary>
      </Section>
      {/* The length of the list above is unknown until then. */}
      {!query.isPending && <AddUser />}
    </div>
  );
}
