import type { UserSummary } from '#contract/users.ts';
import type { Db } from '../../platform/db/db.ts';

/** Returns all users, or the one with this id, with the amount of their data. */
export async function listUsers(db: Db, now: number, id?: number): Promise<UserSummary[]> {
  const rows = await db
    .selectFrom('account')
    .select([
      'account.id',
      'name',
      'isStaff',
      'isSuperuser',
      'isDisabled',
      'mayShare',
      'mayTranscribe',
      'passwordHash',
      'createdAt',
      'lastLoginAt',
    ])
    .select((q) => [
      q
        .selectFrom('session')
        .select((c) => c.fn.countAll<number>().as('n'))
        .whereRef('session.accountId', '=', 'account.id')
        .where('session.expiresAt', '>', now)
        .as('sessions'),
      q
        .selectFrom('namedToken')
        .select((c) => c.fn.countAll<number>().as('n'))
        .whereRef('namedToken.accountId', '=', 'account.id')
        .as('tokens'),
      q
        .selectFrom('watch')
        .select((c) => c.fn.countAll<number>().as('n'))
        .whereRef('watch.accountId', '=', 'account.id')
        .as('watched'),
      q
        .selectFrom('note')
        .select((c) => c.fn.countAll<number>().as('n'))
        .whereRef('note.accountId', '=', 'account.id')
        .as('notes'),
    ])
    .$if(id !== undefined, (q) => q.where('account.id', '=', id!))
    .orderBy('normalizedName')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    is_staff: row.isStaff + row.isSuperuser > 0,
    is_disabled: row.isDisabled === 1,
    may_share: row.mayShare + row.isStaff + row.isSuperuser > 0,
    may_transcribe: row.mayTranscribe + row.isStaff + row.isSuperuser > 0,
    has_password: row.passwordHash !== '',
    created: row.createdAt,
    last_login: row.lastLoginAt,
    sessions: Number(row.sessions),
    tokens: Number(row.tokens),
    watched: Number(row.watched),
    notes: Number(row.notes),
  }));
}
