import type { Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

/**
 * How often the server ended during a run of a task, who chose the content of views and the playlists of media servers, and who
 * agreed to the use of their watch state by them.
 */
export async function addCrashesAndConsent(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const { integer } = columnTypes(engine);
  await db.schema
    .alterTable('task')
    .addColumn('crashes', integer, (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable('account')
    .addColumn('sharesWatchState', integer, (column) => column.notNull().defaultTo(0))
    .execute();
  for (const table of ['libraryView', 'mediaServerPlaylist'])
    await db.schema
      .alterTable(table)
      .addColumn('chosenBy', integer, (column) => column.references('account.id').onDelete('set null'))
      .execute();
}
