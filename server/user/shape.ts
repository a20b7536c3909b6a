import { userDefaults, type Account, type UserConfig } from '#contract/user.ts';
import type { Selectable } from 'kysely';
import type { AccountTable } from '../db/tables.ts';

type Row = Selectable<AccountTable>;

export const shapeAccount = (row: Row): Account => ({
  id: row.id,
  name: row.name,
  is_superuser: row.isSuperuser === 1,
  is_staff: row.isStaff === 1,
  groups: [],
  user_permissions: [],
  last_login: row.lastLoginAt === null ? null : new Date(row.lastLoginAt * 1000).toISOString().replace('Z', '+00:00'),
});

/** A person's settings, with the defaults for what they never chose. */
export const shapeConfig = (row: Pick<Row, 'config'>): UserConfig => ({
  ...userDefaults,
  ...(JSON.parse(row.config) as Partial<UserConfig>),
});
