import type { AccountDifferences } from '#contract/backup.ts';

type Changed = AccountDifferences['changed'][number];

const list = (names: string[]) => names.toSorted().join(', ');
const withRole = ({ name, is_staff }: { name: string; is_staff: boolean }) => (is_staff ? `${name} (staff)` : name);

/** Describes the effect of a full restore on an account that exists now. */
function changeOf(one: Changed): string {
  const becomes = [
    ...(one.was_staff === one.is_staff ? [] : [one.was_staff ? 'becomes staff' : 'is no longer staff']),
    ...(one.was_disabled === one.is_disabled ? [] : [one.was_disabled ? 'is disabled' : 'is enabled']),
    ...(one.password_changed ? ['gets its earlier password'] : []),
    ...(one.tokens_changed ? ['gets its earlier API tokens and OpenID links'] : []),
  ];
  return `${one.name} (${becomes.join(', ')})`;
}

/** Formats how a restore that replaces the accounts changes them, as console lines. */
export function formatAccountDifferences({ missing, added, changed }: AccountDifferences): string[] {
  return [
    ...(missing.length > 0 ? [`Added accounts: ${list(missing.map(withRole))}.`] : []),
    ...(added.length > 0 ? [`Removed accounts: ${list(added.map(withRole))}.`] : []),
    ...(changed.length > 0 ? [`Changed accounts: ${list(changed.map(changeOf))}.`] : []),
    ...(missing.length + added.length + changed.length === 0 ? ['Accounts, roles, passwords and API tokens are the same.'] : []),
  ];
}
