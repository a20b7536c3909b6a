import { sql, type Kysely } from 'kysely';
import { columns } from '../columns.ts';
import type { Engine } from '../db.ts';

/**
 * What searching needs: two indexes, the words in them, and what is not in them yet. What is in the library already is
 * written down as pending, and indexed in the background.
 * @public
 */
export async function up(db: Kysely<never>, engine: Engine) {
  const type = columns(engine);
  const { integer } = type;
  const run = (text: string) => sql.raw(text).execute(db);

  await db.schema
    .createTable('searchPending')
    .addColumn('number', integer, type.autoId)
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .$call(type.strict)
    .execute();
  await db.schema.createIndex('searchPendingOf').on('searchPending').columns(['kind', 'id']).execute();
  await db.schema.createIndex('searchPendingInOrder').on('searchPending').columns(['kind', 'number']).execute();

  await db.schema
    .createTable('searchDocument')
    .addColumn('number', integer, type.autoId)
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addUniqueConstraint('searchDocumentOf', ['kind', 'id'])
    .$call(type.strict)
    .execute();

  await db.schema
    .createTable('searchTrack')
    .addColumn('number', integer, type.autoId)
    .addColumn('videoId', 'text', (c) => c.notNull())
    .addColumn('lang', 'text', (c) => c.notNull())
    .addColumn('mark', 'text', (c) => c.notNull())
    .addColumn('pieces', integer, (c) => c.notNull())
    .addUniqueConstraint('searchTrackOf', ['videoId', 'lang'])
    .$call(type.strict)
    .execute();

  await db.schema
    .createTable('searchWord')
    .addColumn('space', 'text', (c) => c.notNull())
    .addColumn('word', 'text', (c) => c.notNull())
    .addColumn('documents', integer, (c) => c.notNull())
    .addColumn('weight', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('letters', integer, (c) => c.notNull())
    .addColumn('first', 'text')
    .addColumn('second', 'text')
    .addColumn('third', 'text')
    .addPrimaryKeyConstraint('searchWordKey', ['space', 'word'])
    // Nothing refers to a row of it by number, and the key is most of it.
    .$call((t) => (engine === 'sqlite' ? t.modifyEnd(sql`strict, without rowid`) : t))
    .execute();
  for (const part of ['first', 'second', 'third'])
    await db.schema
      .createIndex(`searchWordBy_${part}`)
      .on('searchWord')
      .columns(['space', 'letters', part as never, 'weight'])
      .where(sql.ref(part), 'is not', null)
      .execute();

  if (engine === 'sqlite') await forSqlite(run);
  else await forPostgres(run);

  for (const kind of ['channel', 'playlist'])
    await run(`insert into search_pending (kind, id) select '${kind}', id from ${kind}`);
  await run(`insert into search_pending (kind, id) select 'video', id from video order by published_at`);
  await run(`insert into search_pending (kind, id)
    select 'lines', id from video where exists (select 1 from line where line.video_id = video.id) order by downloaded_at`);
}

// What of a row is searched for.
const searched = {
  video: ['title', 'tags', 'categories', 'channel_id'],
  channel: ['name', 'description', 'tags'],
  playlist: ['name', 'description'],
} as const;

async function forSqlite(run: (text: string) => Promise<unknown>) {
  // The text is given folded, as words parted by spaces; `=` begins words of our own, such as the kind. What the index is made
  // of is not kept in it a second time (content='').
  const tokenize = `tokenize = "ascii tokenchars '='"`;
  await run(`create virtual table search_thing using fts5(a, b, c, d,
    content = '', contentless_delete = 1, prefix = '1 2 3', ${tokenize})`);
  await run(`create virtual table search_line using fts5(words, content = '', contentless_delete = 1, ${tokenize})`);

  const mark = (kind: string, id: string) => `insert into search_pending (kind, id) select '${kind}', ${id}
    where not exists (select 1 from search_pending where kind = '${kind}' and id = ${id});`;
  for (const [kind, fields] of Object.entries(searched)) {
    const changed = fields.map((field) => `old.${field} is not new.${field}`).join(' or ');
    await run(`create trigger search_${kind}_new after insert on ${kind} begin ${mark(kind, 'new.id')} end`);
    await run(`create trigger search_${kind}_changed after update of ${fields.join(', ')} on ${kind} when ${changed}
      begin ${mark(kind, 'new.id')} end`);
    await run(`create trigger search_${kind}_gone after delete on ${kind} begin ${mark(kind, 'old.id')} end`);
  }
  await run(`create trigger search_video_moved after update of channel_id on video when old.channel_id is not new.channel_id
    begin ${mark('lines', 'new.id')} end`);
  for (const table of ['line', 'subtitle']) {
    await run(`create trigger search_${table}_new after insert on ${table} begin ${mark('lines', 'new.video_id')} end`);
    await run(`create trigger search_${table}_changed after update on ${table} begin ${mark('lines', 'new.video_id')} end`);
    await run(`create trigger search_${table}_gone after delete on ${table} begin ${mark('lines', 'old.video_id')} end`);
  }
}

async function forPostgres(run: (text: string) => Promise<unknown>) {
  for (const table of ['search_thing', 'search_line']) {
    await run(`create table ${table} (rowid bigint primary key, words tsvector not null)`);
    await run(`create index ${table}_words on ${table} using gin (words)`);
  }
  // Marks are not looked for first, as in SQLite: somebody may be about to take away the one that is there.
  await run(`create function search_mark() returns trigger language plpgsql as $$
    begin
      insert into search_pending (kind, id) values (tg_argv[0], case tg_op when 'DELETE' then old.id else new.id end);
      return null;
    end $$`);
  await run(`create function search_mark_lines() returns trigger language plpgsql as $$
    begin
      insert into search_pending (kind, id) select distinct 'lines', video_id from changed;
      return null;
    end $$`);
  for (const [kind, fields] of Object.entries(searched)) {
    const changed = fields.map((field) => `old.${field} is distinct from new.${field}`).join(' or ');
    const mark = `for each row execute function search_mark('${kind}')`;
    await run(`create trigger search_${kind}_new after insert or delete on ${kind} ${mark}`);
    await run(`create trigger search_${kind}_changed after update on ${kind} for each row when (${changed})
      execute function search_mark('${kind}')`);
  }
  await run(`create trigger search_video_moved after update on video for each row
    when (old.channel_id is distinct from new.channel_id) execute function search_mark('lines')`);
  for (const table of ['line', 'subtitle'])
    for (const [what, rows] of [
      ['insert', 'new'],
      ['update', 'new'],
      ['delete', 'old'],
    ])
      await run(`create trigger search_${table}_${what} after ${what} on ${table} referencing ${rows} table as changed
        for each statement execute function search_mark_lines()`);
}
