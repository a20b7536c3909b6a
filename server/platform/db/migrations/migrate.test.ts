import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { engines } from '../../../test-support/app.ts';
import { inTransaction, type Db } from '../db.ts';
import { migrate, progressOf, steps } from './migrate.ts';

const channel = { id: 'c', site: 'youtube', siteId: 'c', name: 'C', sortName: 'c', addedAt: 1, refreshedAt: 1 };

const tableNames = async (db: Db) => (await db.introspection.getTables()).map(({ name }) => name);

describe.each(engines)('migrations on $engine', ({ open }) => {
  afterEach(() => {
    delete steps['0900-later'];
    delete steps['0901-last'];
  });

  test('applies a later step once and keeps existing data', async () => {
    const { db, close } = await open();
    try {
      expect(await migrate(db)).toEqual(Object.keys(steps));
      await db.insertInto('channel').values(channel).execute();
      steps['0900-later'] = {
        up: async (tx) => void (await sql`alter table channel add column later integer default 7`.execute(tx)),
      };
      expect(await progressOf(db)).toMatchObject({ isEmpty: false, pending: ['0900-later'] });
      expect(await migrate(db)).toEqual(['0900-later']);
      expect(await migrate(db)).toEqual([]);
      const { rows } = await sql`select name, later from channel`.execute(db);
      expect(rows).toEqual([{ name: 'C', later: 7 }]);
    } finally {
      await close();
    }
  });

  test('lets the version before use a database after an expansion, and asks to stop it before another step', async () => {
    const { db, close } = await open();
    try {
      await migrate(db);
      steps['0900-later'] = {
        isExpansion: true,
        up: async (tx) => void (await sql`alter table channel add column later integer default 7`.execute(tx)),
      };
      expect(await progressOf(db)).toMatchObject({ pending: ['0900-later'], needsStop: false });
      await migrate(db);
      delete steps['0900-later'];
      expect(await progressOf(db)).toMatchObject({ pending: [], refusal: undefined });
      expect(await migrate(db)).toEqual([]);
      steps['0900-later'] = { up: async () => {} };
      steps['0901-last'] = { up: async () => {} };
      expect(await progressOf(db)).toMatchObject({ pending: ['0901-last'], needsStop: true });
    } finally {
      await close();
    }
  });

  test('rolls back a step that fails', async () => {
    const { db, close } = await open();
    try {
      await migrate(db);
      steps['0900-later'] = {
        up: async (tx) => {
          await sql`create table half (id integer)`.execute(tx);
          throw new Error('half-way');
        },
      };
      await expect(migrate(db)).rejects.toThrow('half-way');
      expect(await tableNames(db)).not.toContain('half');
      expect((await progressOf(db)).pending).toEqual(['0900-later']);
      await db.insertInto('channel').values(channel).execute();
      expect(await db.selectFrom('searchPending').select('id').execute()).toEqual([{ id: 'c' }]);
    } finally {
      await close();
    }
  });

  test('rejects a database of a newer version without changing it', async () => {
    const { db, close } = await open();
    try {
      await migrate(db);
      await db
        .insertInto('kyselyMigration' as never)
        .values({ name: '9999-later', timestamp: '2027' } as never)
        .execute();
      await expect(migrate(db)).rejects.toThrow(/made by a newer version/);
      expect(await db.selectFrom('channel').selectAll().execute()).toEqual([]);
    } finally {
      await close();
    }
  });

  test('rejects a database of a version before the first release without changing it', async () => {
    const { db, close } = await open();
    try {
      await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db);
      await sql`insert into kysely_migration values ('0001-library', '2026'), ('0002-people', '2026')`.execute(db);
      await expect(migrate(db)).rejects.toThrow(/before its first release, and cannot be updated\..* empty folder/);
      expect(await tableNames(db)).toEqual([]); // without those of Kysely
    } finally {
      await close();
    }
  });

  test('rolls back a failed transaction', async () => {
    const { db, close } = await open();
    try {
      await migrate(db);
      const half = inTransaction(db, async (tx) => {
        await tx.insertInto('channel').values(channel).execute();
        throw new Error('half-way');
      });
      await expect(half).rejects.toThrow('half-way');
      expect(await db.selectFrom('channel').selectAll().execute()).toEqual([]);
    } finally {
      await close();
    }
  });

  test('concurrent transactions are isolated', async () => {
    const { db, close } = await open();
    try {
      await migrate(db);
      const add = (index: number) =>
        inTransaction(db, async (tx) => {
          const id = `c${index}`;
          await tx
            .insertInto('channel')
            .values({ id, site: 's', siteId: id, name: id, sortName: id, addedAt: 1, refreshedAt: 1 })
            .execute();
          if (index % 2 === 1) throw new Error('odd');
        });
      await Promise.allSettled(Array.from({ length: 20 }, (_, index) => add(index)));
      const rows = await db.selectFrom('channel').select('id').execute();
      expect(rows.map((row) => row.id).sort()).toEqual(['c0', 'c10', 'c12', 'c14', 'c16', 'c18', 'c2', 'c4', 'c6', 'c8']);
    } finally {
      await close();
    }
  });
});
