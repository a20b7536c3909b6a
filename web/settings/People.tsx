import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconUser, IconUserShield } from '@tabler/icons-react';
import { Link } from 'react-router';
import { agoText } from '#web/format/dates.ts';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { accountQuery } from '#web/user/queries.ts';
import { AddPerson } from './AddPerson.tsx';
import { peopleQuery } from './people-queries.ts';
import { PersonActions } from './PersonActions.tsx';
import styles from './Rows.module.css';
import cards from './Settings.module.css';

/** Everybody who may come in, for staff. */
export function People() {
  const { t } = useLingui();
  const query = useQuery(peopleQuery);
  const { data: me } = useQuery(accountQuery);
  return (
    <div className={cards.cards}>
      <section className={cards.card}>
        <h2>
          <Trans>People</Trans>
        </h2>
        <Loaded query={query} skeleton={<Skeleton height={52} />}>
          {(people) => (
            <ul className={styles.list}>
              {people.map((person) => (
                <li key={person.id} className={`${styles.row} ${person.is_disabled ? styles.off : ''}`}>
                  {person.is_staff ? <IconUserShield aria-hidden /> : <IconUser aria-hidden />}
                  <div className={styles.words}>
                    <strong>
                      <bdi>{person.name}</bdi>
                    </strong>
                    <p>
                      {person.is_disabled && <span className={styles.offBadge}>{t`Switched off`}</span>}
                      {person.is_staff && <span className={styles.badge}>{t`Staff`}</span>}
                      <span>{person.last_login === null ? t`never logged in` : t`logged in ${agoText(person.last_login)}`}</span>
                      <span>
                        <Plural value={person.watched} _0="nothing watched" one="# video watched" other="# videos watched" />
                      </span>
                      {!person.has_password && <span>{t`logs in elsewhere`}</span>}
                    </p>
                  </div>
                  {person.id === me?.id ? (
                    <Link to="/settings/user/" className={cards.link}>
                      <Trans>You</Trans>
                    </Link>
                  ) : (
                    <PersonActions person={person} />
                  )}
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </section>
      <AddPerson />
    </div>
  );
}
