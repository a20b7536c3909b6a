import { userDefaults, type Account, type UserConfig } from '#contract/user.ts';
import type { Selectable } from 'kysely';
import type { AccountTable } from '../../platform/db/schema/tables.ts';

type Row = Selectable<AccountTable>;

export const serializeAccount = (row: Row): Omit<Account, 'address'> => ({
  id: row.id,
  name: row.name,
  is_superuser: row.isSuperuser === 1,
  is_staff: row.isStaff === 1,
  groups: [],
  user_permissions: [],
  may_share: row.mayShare + row.isStaff + row.isSuperuser > 0,
  may_transcribe: row.mayTranscribe + row.isStaff + row.isSuperuser > 0,
  shares_watch_state: row.sharesWatchState === 1,
  last_login: row.lastLoginAt === null ? null : new Date(row.lastLoginAt * 1000).toISOString().replace('Z', '+00:00'),
});

/** Returns the settings of a user, with defaults for missing values. */
export const serializeConfig = (row: Pick<Row, 'config'>): UserConfig => ({
  ...userDefaults,
  ...(JSON.parse(row.config) as Partial<UserConfig>),
});
