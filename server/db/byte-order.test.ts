import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { formsOf } from '../search/vocabulary.ts';
import { engines } from '../testing.ts';
import { migrate } from './migrate.ts';

const words = ['Bake', 'bake', 'baked', 'bakes', 'b{ke', 'zebra', 'äpfel', '_x'];
const insert = (word: string) => ({ space: 'l' as const, word, documents: 2, letters: word.length });

describe.each(engines)('texts on $engine', ({ engine, open }) => {
  test('are compared sign by sign, whatever language the database was made in, also those from before', async () => {
    const { db, close } = await open();
    try {
      await migrate(db, '0033-written');
      await db.insertInto('searchWord').values(words.map(insert)).execute();
      await migrate(db);
      expect((await formsOf(db, 'l', 'baking', 8)).map(({ word }) => word)).toEqual(['bake', 'baked', 'bakes']);
      const sorted = await db.selectFrom('searchWord').select('word').orderBy('word').execute();
      expect(sorted.map(({ word }) => word)).toEqual(words.toSorted());
    } finally {
      await close();
    }
  });

  test.runIf(engine === 'postgres')('no column follows the language of its database', async () => {
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
