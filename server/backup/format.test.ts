import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { columnsOf } from '../db/copy.ts';
import { dataTables, keyOfTable } from '../db/kept.ts';
import { testArchive } from '../testing.ts';

test('docs/backup-format.md tells every table with its key and every column, and no others', async () => {
  const t = await testArchive();
  try {
    const told = [
      ...readFileSync('docs/backup-format.md', 'utf8').matchAll(
        /^\| `(\w+)`\s+\| .*? \| ((?:`\w+`(?:, )?)+)\s+\| ((?:`\w+`(?:, )?)+)\s+\|$/gm,
      ),
    ];
    const names = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    const said = Object.fromEntries(
      told.map(([, table = '', key = '', columns = '']) => [table, { key: names(key), columns: names(columns).sort() }]),
    );
    const columns = await columnsOf(t.archive.db);
    const real = Object.fromEntries(
      dataTables.map((table) => [
        table,
        {
          key: [...keyOfTable[table]],
          columns: columns
            .get(table)!
            .map(({ name }) => name)
            .sort(),
        },
      ]),
    );
    expect(said).toEqual(real);
  } finally {
    await t.close();
  }
});
