import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { columnsOf } from '../../platform/db/copy/bulk-copy.ts';
import { dataTables, keyOfTable } from '../../platform/db/schema/table-policies.ts';
import { testApp } from '../../test-support/app.ts';

test('docs/backup-format.md lists every table with its key and all columns', async () => {
  const t = await testApp();
  try {
    const documentedRows = [
      ...readFileSync('docs/backup-format.md', 'utf8').matchAll(
        /^\| `(\w+)`\s+\| .*? \| ((?:`\w+`(?:, )?)+)\s+\| ((?:`\w+`(?:, )?)+)\s+\|$/gm,
      ),
    ];
    const names = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    const documented = Object.fromEntries(
      documentedRows.map(([, table = '', key = '', columns = '']) => [
        table,
        { key: names(key), columns: names(columns).sort() },
      ]),
    );
    const columns = await columnsOf(t.app.db);
    const actual = Object.fromEntries(
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
    expect(documented).toEqual(actual);
  } finally {
    await t.close();
  }
});
