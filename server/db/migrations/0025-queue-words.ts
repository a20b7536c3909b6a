import { sql, type Kysely } from 'kysely';
import type { Engine } from '../db.ts';

/**
 * Words in the queue may stand anywhere in a title, so that each of 50,000 was looked at. Titles are indexed by three letters
 * that follow each other; what has them all is looked at.
 * @public
 */
export async function up(db: Kysely<never>, engine: Engine) {
  const run = (text: string) => sql.raw(text).execute(db);
  if (engine === 'postgres') {
    // Where the extension is not there, or whose database it is may not have it, each title is looked at as before.
    await run(`do $$
      begin
        create extension if not exists pg_trgm;
        create index download_pieces on download using gin (folded_title gin_trgm_ops);
      exception when others then
        raise notice 'words in the queue are looked for without pg_trgm: %', sqlerrm;
      end $$`);
    return;
  }
  // Only which title has which three letters; the title itself is in its row.
  await run(`create virtual table download_piece using fts5(folded_title, content = '', contentless_delete = 1,
    detail = none, tokenize = 'trigram')`);
  await run('insert into download_piece (rowid, folded_title) select number, folded_title from download');
  await run(`create trigger download_piece_new after insert on download begin
    insert into download_piece (rowid, folded_title) values (new.number, new.folded_title); end`);
  await run(`create trigger download_piece_changed after update of folded_title on download
    when old.folded_title is not new.folded_title begin
    update download_piece set folded_title = new.folded_title where rowid = new.number; end`);
  await run(`create trigger download_piece_gone after delete on download begin
    delete from download_piece where rowid = old.number; end`);
}
