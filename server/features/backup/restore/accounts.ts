import type { AccountDifferences } from '#contract/backup.ts';
import { message, type Message } from '#contract/messages.ts';
import { insertExactly, columnsOf, pagesOf, type PlainRow } from '../../../platform/db/copy/bulk-copy.ts';
import { isDamage, type Db } from '../../../platform/db/db.ts';
import { openSqliteReadOnly } from '../../../platform/db/sqlite/sqlite.ts';
import { MessageError } from '../../../platform/messages/message-error.ts';
import { seal, unseal, type Keys } from '../../../platform/security/encryption.ts';
import { readManifest } from '../files/manifest.ts';
import { InvalidBackupError } from '../files/invalid-backup-error.ts';
import { linesOfEntry, openZip } from '../../../platform/files/zip.ts';

// A restore in the running server replaces the library but not the accounts: the current credentials and roles stay valid, not
// those of an old copy. Accounts are matched by their case-folded name.

const tables = ['account', 'token', 'namedToken', 'identity', 'podcast', 'share'] as const;
type AccountRows = Record<(typeof tables)[number], PlainRow[]>;
// Far above any real archive. It bounds memory, because the rows of a crafted backup are loaded as a whole.
const maxRows = 20_000;

const none = (): AccountRows => ({ account: [], token: [], namedToken: [], identity: [], podcast: [], share: [] });

/** Loads the accounts of a database, which may have an older schema. */
async function rowsOf(db: Db): Promise<AccountRows> {
  const rows = none();
  const known = await columnsOf(db);
  for (const table of tables) if (known.has(table)) for await (const page of pagesOf(db, table, 500)) rows[table].push(...page);
  return rows;
}

/**
 * Loads the accounts in a Reelkeep backup.
 * @throws InvalidBackupError
 */
async function rowsInBackup(path: string): Promise<AccountRows> {
  const zip = await openZip(path);
  try {
    const rows = none();
    const manifest = await readManifest(zip);
    for (const table of tables)
      for (const { name } of manifest.tables[table]?.parts ?? []) {
        const entry = zip.entries.get(name);
        if (!entry) throw new InvalidBackupError(message('restore.zip-missing', { name }));
        let line = 0;
        for await (const text of linesOfEntry(entry.read())) {
          const where = message('restore.line', { line: ++line, name });
          if (rows[table].length >= maxRows)
            throw new InvalidBackupError(message('restore.too-many-rows', { most: maxRows, table }));
          rows[table].push(parseRow(text, where));
        }
      }
    return rows;
  } finally {
    zip.close();
  }
}

function parseRow(text: string | null, where: Message): PlainRow {
  if (text === null) throw new InvalidBackupError(message('restore.line-too-long', { where }));
  let row: unknown;
  try {
    row = JSON.parse(text);
  } catch {
    throw new InvalidBackupError(message('restore.line-json', { where }));
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row))
    throw new InvalidBackupError(message('restore.line-not-a-row', { where }));
  return row as PlainRow;
}

async function rowsInSnapshot(path: string): Promise<AccountRows> {
  const db = openSqliteReadOnly(path);
  try {
    return await rowsOf(db);
  } finally {
    await db.destroy();
  }
}

const nameOf = ({ name }: PlainRow) => String(name).slice(0, 150);
const isStaff = ({ isStaff, isSuperuser }: PlainRow) => Number(isStaff) + Number(isSuperuser) > 0;
const isDisabled = ({ isDisabled }: PlainRow) => Number(isDisabled ?? 0) > 0;

/** Serializes the API tokens and OpenID links of an account, for comparison. */
const waysIn = (rows: AccountRows, { id }: PlainRow) =>
  JSON.stringify([
    [...rows.token, ...rows.namedToken]
      .filter((row) => row['accountId'] === id)
      .map((row) => row['tokenHash'])
      .sort(),
    rows.identity
      .filter((row) => row['accountId'] === id)
      .map((row) => `${row['issuer']} ${row['subject']}`)
      .sort(),
  ]);

function differences(then: AccountRows, now: AccountRows): AccountDifferences {
  const byName = (rows: AccountRows) => new Map(rows.account.map((row) => [row['normalizedName'], row]));
  const [before, here] = [byName(then), byName(now)];
  const changed = then.account.flatMap((was) => {
    const is = here.get(was['normalizedName']!);
    if (!is) return [];
    const one = {
      name: nameOf(is),
      is_staff: isStaff(is),
      was_staff: isStaff(was),
      is_disabled: isDisabled(is),
      was_disabled: isDisabled(was),
      password_changed: is['passwordHash'] !== was['passwordHash'],
      tokens_changed: waysIn(now, is) !== waysIn(then, was),
    };
    const isSame =
      one.is_staff === one.was_staff && one.is_disabled === one.was_disabled && !one.password_changed && !one.tokens_changed;
    return isSame ? [] : [one];
  });
  const shape = (row: PlainRow) => ({ name: nameOf(row), is_staff: isStaff(row), is_disabled: isDisabled(row) });
  return {
    missing: then.account.filter((row) => !here.has(row['normalizedName']!)).map(shape),
    added: now.account.filter((row) => !before.has(row['normalizedName']!)).map(shape),
    changed,
  };
}

/**
 * Compares the accounts in a Reelkeep backup with the current ones.
 * @throws InvalidBackupError
 */
export const accountDifferencesOfBackup = async (db: Db, path: string) => differences(await rowsInBackup(path), await rowsOf(db));

/** Compares the accounts in a snapshot with the current ones. */
export const accountDifferencesOfSnapshot = async (db: Db, path: string) =>
  differences(await rowsInSnapshot(path), await rowsOf(db));

/** How the current accounts are handled. `bring`: accounts that exist only in the copy are added, without API tokens. */
export type AccountChoices = 'stay' | 'bring';

const damaged = [message('restore.accounts-damaged'), message('restore.unchanged')];

async function rowsHere(live: Db): Promise<AccountRows> {
  try {
    return await rowsOf(live);
  } catch (error) {
    throw isDamage(error) ? new MessageError(damaged) : error;
  }
}

/**
 * Copies the current accounts with their roles, passwords, API tokens, feeds, share links and OpenID links into the staging database. Preferences and
 * watch states stay those of the copy. Returns the new id of each current account and the number of accounts added from the copy.
 */
export async function keepCurrentAccounts(
  staged: Db,
  live: Db,
  { keys, accounts }: { keys: Keys; accounts: AccountChoices },
): Promise<{ ids: Map<number, number>; brought: number }> {
  const now = await rowsHere(live);
  const accountsByName = new Map(
    (await staged.selectFrom('account').select(['id', 'normalizedName', 'config']).execute()).map((row) => [
      row.normalizedName,
      row,
    ]),
  );
  const usedIds = new Set([...accountsByName.values()].map(({ id }) => id));
  let nextId = Math.max(0, ...usedIds, ...now.account.map((row) => Number(row['id']))) + 1;
  const ids = new Map<number, number>();
  for (const row of now.account) {
    const id = Number(row['id']);
    // An id of the copy is never reused for another account, because rows in its trash refer to that id.
    ids.set(id, accountsByName.get(String(row['normalizedName']))?.id ?? (usedIds.has(id) ? nextId++ : id));
  }
  const here = new Set(ids.values());
  const others = [...usedIds].filter((id) => !here.has(id));
  if (accounts === 'stay')
    for (const id of others) {
      await staged.deleteFrom('watch').where('accountId', '=', id).execute();
      await staged.updateTable('playlist').set({ ownerId: null }).where('ownerId', '=', id).execute();
      await staged.deleteFrom('account').where('id', '=', id).execute();
    }

  // Revoked feeds and share links must not return with an old copy.
  for (const table of ['token', 'namedToken', 'podcast', 'share'] as const) await staged.deleteFrom(table).execute();
  for (const id of here) await staged.deleteFrom('identity').where('accountId', '=', id).execute();
  for (const { issuer, subject } of now.identity)
    await staged.deleteFrom('identity').where('issuer', '=', String(issuer)).where('subject', '=', String(subject)).execute();

  for (const row of now.account) {
    const known = accountsByName.get(String(row['normalizedName']));
    const { id: _, config: __, ...access } = row;
    if (known) await staged.updateTable('account').set(access).where('id', '=', known.id).execute();
    else await insertExactly(staged, 'account', [{ ...row, id: ids.get(Number(row['id']))! }]);
  }
  const moved = (row: PlainRow) => ({ ...row, accountId: ids.get(Number(row['accountId']))! });
  for (const table of ['namedToken', 'podcast', 'share'] as const) await insertExactly(staged, table, now[table].map(moved));
  await insertExactly(staged, 'identity', now.identity.map(moved));
  await insertExactly(
    staged,
    'token',
    now.token.map((row) => resealed(keys, row, moved(row))),
  );
  return { ids, brought: accounts === 'bring' ? others.length : 0 };
}

/**
 * Encryption of a token is bound to its account id. A token that cannot be decrypted is left unchanged; `deleteUnreadableSecrets`
 * deletes it later.
 */
function resealed(keys: Keys, was: PlainRow, now: PlainRow & { accountId: number }): PlainRow {
  if (was['accountId'] === now.accountId) return now;
  try {
    const text = unseal(keys, `token.${Number(was['accountId'])}`, String(was['sealed']));
    return { ...now, sealed: seal(keys, `token.${now.accountId}`, text) };
  } catch {
    return now;
  }
}
