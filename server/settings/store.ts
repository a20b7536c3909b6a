import { settings, type Settings } from '#contract/settings.ts';
import { inTransaction, type Db } from '../db/db.ts';

type Values = Record<string, Record<string, unknown>>;

const initial = (): Values =>
  Object.fromEntries(
    Object.entries(settings).map(([section, keys]) => [
      section,
      Object.fromEntries(Object.entries(keys).map(([key, { initial }]) => [key, initial])),
    ]),
  );

/** The settings as they stand: what was chosen, over what each begins with. Rows of other versions are left alone. */
export async function readSettings(db: Db): Promise<Settings> {
  const values = initial();
  for (const { name, value } of await db.selectFrom('setting').selectAll().execute()) {
    const [section = '', key = ''] = name.split('.');
    if (values[section] && key in values[section]) values[section][key] = JSON.parse(value);
  }
  return values as unknown as Settings;
}

/** Writes some settings, all of them or none. */
export function writeSettings(db: Db, some: { [S in keyof Settings]?: Partial<Settings[S]> }) {
  return inTransaction(db, async (tx) => {
    for (const [section, keys] of Object.entries(some))
      for (const [key, value] of Object.entries(keys)) {
        const row = { name: `${section}.${key}`, value: JSON.stringify(value) };
        await tx
          .insertInto('setting')
          .values(row)
          .onConflict((c) => c.column('name').doUpdateSet({ value: row.value }))
          .execute();
      }
  });
}
