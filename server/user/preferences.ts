import type { UserConfig } from '#contract/user.ts';
import type { Db } from '../db/db.ts';
import { shapeConfig } from './shape.ts';
import { findAccount } from './store.ts';

/** What a person chose for themselves. */
export const preferencesOf = async (db: Db, accountId: number): Promise<UserConfig> =>
  shapeConfig(await findAccount(db, accountId));
