import type { ChannelOverwrites } from '#contract/channel.ts';
import { settings, type Settings } from '#contract/settings.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { inTransaction, type Db, type Tx } from '../../platform/db/db.ts';

type Values = Record<string, Record<string, unknown>>;

const initial = (): Values =>
  Object.fromEntries(
    Object.entries(settings).map(([section, keys]) => [
      section,
      Object.fromEntries(Object.entries(keys).map(([key, { initial }]) => [key, initial])),
    ]),
  );

/** Returns the settings: stored values over the defaults. Unknown rows of other versions are ignored. */
export async function readSettings(db: Db): Promise<Settings> {
  const values = initial();
  for (const { name, value } of await db.lookups.selectFrom('setting').selectAll().execute()) {
    const [section = '', key = ''] = name.split('.');
    if (values[section] && key in values[section]) values[section][key] = JSON.parse(value);
  }
  return values as unknown as Settings;
}

/** Returns a value that a service has stored for itself; undefined if there is none. */
export async function readStored(db: Db, name: string): Promise<unknown> {
  const row = await db.lookups.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst();
  return row && JSON.parse(row.value);
}

/** Stores a value as JSON. `name`: `section.key`; of a service, a key that no setting has. */
export async function writeStored(db: Db | Tx, name: string, stored: unknown): Promise<void> {
  const value = JSON.stringify(stored);
  await db
    .insertInto('setting')
    .values({ name, value })
    .onConflict((c) => c.column('name').doUpdateSet({ value }))
    .execute();
}

type SettingsChanges = { [S in keyof Settings]?: Partial<Settings[S]> };

/** Stores settings in one transaction. */
export function writeSettings(db: Db, changes: SettingsChanges) {
  return inTransaction(db, async (tx) => {
    for (const [section, keys] of Object.entries(changes))
      for (const [key, value] of Object.entries(keys)) await writeStored(tx, `${section}.${key}`, value);
  });
}

/** Stores settings and announces the change to browsers. */
export async function updateSettings({ db, announce }: AppContext, changes: SettingsChanges) {
  await writeSettings(db, changes);
  announce('settings');
}

/** Returns the settings of a channel that override the global ones; empty for an unknown channel. */
export async function readOverridesOf(db: Db, channelId: string): Promise<Partial<ChannelOverwrites>> {
  const row = await db.lookups.selectFrom('channel').select('overwrites').where('id', '=', channelId).executeTakeFirst();
  return parseOverrides(row?.overwrites ?? null);
}

export const parseOverrides = (json: string | null): Partial<ChannelOverwrites> =>
  json ? (JSON.parse(json) as Partial<ChannelOverwrites>) : {};
