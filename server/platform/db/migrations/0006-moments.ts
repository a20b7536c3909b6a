import { sql, type Kysely } from 'kysely';
import { columnTypes } from './column-types.ts';

/** The search index of what is written about videos: former titles, descriptions, chapters and comments. */
export async function addMoments(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const { integer, text, strict, autoId } = columnTypes(engine);
  const run = (statement: string) => sql.raw(statement).execute(db);
  await db.schema
    .createTable('momentDocument')
    .addColumn('number', integer, autoId)
    .addColumn('videoId', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('ref', text, (column) => column.notNull())
    .addColumn('textHash', text, (column) => column.notNull())
    .addUniqueConstraint('momentDocumentOf', ['videoId', 'kind', 'ref'])
    .$call(strict)
    .execute();
  if (engine === 'sqlite') {
    await run(`create virtual table search_moment using fts5(a, b,
      content = '', contentless_delete = 1, tokenize = "ascii tokenchars '='")`);
    return;
  }
  await run('create table search_moment (rowid bigint primary key, words tsvector not null)');
  await run('create index search_moment_words on search_moment using gin (words)');
}
