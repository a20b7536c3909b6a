import type { TriggerGroup } from './triggers.ts';

/** Trigrams of the titles in the queue. Only on SQLite: PostgreSQL has a trigram index. Stores trigrams only; the title is in its row. */
export const queueSearch: TriggerGroup = {
  name: 'queue-search',
  fill: (engine) =>
    engine === 'sqlite'
      ? [
          `insert into download_trigram (download_trigram) values ('delete-all')`,
          'insert into download_trigram (rowid, normalized_title) select number, normalized_title from download',
        ]
      : [],
  triggers: (engine) =>
    engine === 'sqlite'
      ? [
          `create trigger queue_search_insert after insert on download begin
            insert into download_trigram (rowid, normalized_title) values (new.number, new.normalized_title); end`,
          `create trigger queue_search_update after update of normalized_title on download
            when old.normalized_title is not new.normalized_title begin
            update download_trigram set normalized_title = new.normalized_title where rowid = new.number; end`,
          `create trigger queue_search_delete after delete on download begin
            delete from download_trigram where rowid = old.number; end`,
        ]
      : [],
};
