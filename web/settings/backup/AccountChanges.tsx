import { Trans, useLingui } from '@lingui/react/macro';
import type { UseQueryResult } from '@tanstack/react-query';
import type { AccountDifferences } from '#contract/backup.ts';
import { Switch } from '#web/ui/Field.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';

type Account = AccountDifferences['missing'][number];
type Changed = AccountDifferences['changed'][number];

interface Props {
  query: UseQueryResult<AccountDifferences>;
  restoresDeleted: boolean;
  onRestoreDeleted(isBringing: boolean): void;
}

/**
 * Lists how the accounts in a backup or snapshot differ from the current ones, with a switch to restore deleted accounts.
 */
export function AccountChanges({ query, restoresDeleted, onRestoreDeleted }: Props) {
  const { t } = useLingui();
  const withRole = ({ name, is_staff }: Account) => (is_staff ? t`${name} (administrator)` : name);
  const changeText = (one: Changed) => {
    const before = [
      ...(one.was_staff === one.is_staff ? [] : [one.was_staff ? t`was an administrator` : t`was not an administrator`]),
      ...(one.was_disabled === one.is_disabled ? [] : [one.was_disabled ? t`was disabled` : t`was enabled`]),
      ...(one.password_changed ? [t`had a different password`] : []),
      ...(one.tokens_changed ? [t`had different API tokens or OpenID links`] : []),
    ].join(', ');
    return t`${one.name}: ${before}`;
  };
  return (
    <QueryBoundary query={query} skeleton={48}>
      {({ missing, added, changed }) => (
        <>
          <p>
            <Trans>Accounts, roles, passwords, API tokens and sessions are not changed.</Trans>
          </p>
          {missing.length + added.length + changed.length > 0 && (
            <ul>
              {missing.length > 0 && (
                <li>
                  {restoresDeleted
                    ? t`Restored: ${names(missing.map(withRole))}`
                    : t`Stay deleted: ${names(missing.map(withRole))}`}
                </li>
              )}
              {added.length > 0 && <li>{t`Not included, but kept: ${names(added.map(withRole))}`}</li>}
              {changed.map((one) => (
                <li key={one.name}>{changeText(one)}</li>
              ))}
            </ul>
          )}
          {missing.length > 0 && (
            <Switch label={t`Restore deleted accounts (without API tokens)`} isOn={restoresDeleted} onChange={onRestoreDeleted} />
          )}
        </>
      )}
    </QueryBoundary>
  );
}

const names = (all: string[]) => all.toSorted((a, b) => a.localeCompare(b)).join(', ');
