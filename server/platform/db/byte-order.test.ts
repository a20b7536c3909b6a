import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { wordFormsOf } from '../../features/search/text/term-dictionary.ts';
import { engines } from '../../test-support/app.ts';
import { migrate } from './migrations/migrate.ts';

const words = ['Bake', 'bake', 'baked', 'bakes', 'b{ke', 'zebra', 'äpfel', '_x'];
const insert = (word: string) => ({ space: 'l' as const, word, documents: 2, letters: word.length });

describe.each(engines)('text comparison on $engine', ({ engine, open }) => {
  test('compares by code point whatever the locale of the database', async () => {
    const { db, close } = await open();
    try {
      await migrate(db);
      await db.insertInto('searchWord').values(words.map(insert)).execute();
      expect((await wordFormsOf(db, 'l', 'baking', 8)).map(({ word }) => word)).toEqual(['bake', 'baked', 'bakes']);
      const sorted = await db.selectFrom('searchWord').select('word').orderBy('word').execute();
      expect(sorted.map(({ word }) => word)).toEqual(words.toSorted());
    } finally {
      await close();
    }
  });

  test.runIf(engine === 'postgres')('all text columns have the collation C', async () => {
    const { db, close } = await open();
    try {
      await migrate(db);
      const { rows } = await sql`select table_name, column_name from information_schema.columns
        where table_schema = 'public' and data_type in ('text', 'character varying') and collation_name is distinct from 'C'
          and table_name not like 'kysely%'`.execute(db);
      expect(rows).toEqual([]);
    } finally {
      await close();
    }
  });
});
