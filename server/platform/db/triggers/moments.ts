import type { Engine } from '../db.ts';
import type { TriggerGroup } from './triggers.ts';

// Changes of what is written about videos are queued in `search_pending` and indexed in the background.

/** Tables with the columns that are indexed, and the column with the id of the video. */
const tables = {
  video: { id: 'id', columns: ['description', 'chapters', 'channel_id'] },
  comment: { id: 'video_id', columns: ['text', 'author', 'parent'] },
  metadata_history: { id: 'video_id', columns: ['value'] },
  note: { id: 'video_id', columns: ['text', 'quote'] },
  generated_chapters: { id: 'video_id', columns: ['chapters'] },
} as const;

/** The number of comments that are indexed: a change concerns all videos with comments. */
const settingName = 'downloads.comment_index';

const changed = (columns: readonly string[]) =>
  columns.map((column) => `old.${column} is distinct from new.${column}`).join(' or ');

const enqueueMissing = (ids: string) => `insert into search_pending (kind, id) select 'moments', id from (${ids}) as source
    where not exists (select 1 from search_pending p where p.kind = 'moments' and p.id = source.id)`;
// Words of the notes of an account (server/features/search/text/term-dictionary.ts).
const forgetWords = `delete from search_word where space = 'a' || cast(old.id as text)`;
const commented = `select distinct video_id as id from comment`;

function forSqlite(): string[] {
  const enqueue = (id: string) => `insert into search_pending (kind, id) select 'moments', ${id}
    where not exists (select 1 from search_pending where kind = 'moments' and id = ${id})`;
  return [
    ...Object.entries(tables).flatMap(([table, { id, columns }]) => [
      `create trigger moments_${table}_insert after insert on ${table} begin ${enqueue(`new.${id}`)}; end`,
      `create trigger moments_${table}_update after update of ${columns.join(', ')} on ${table} when ${changed(columns)}
        begin ${enqueue(`new.${id}`)}; end`,
      `create trigger moments_${table}_delete after delete on ${table} begin ${enqueue(`old.${id}`)}; end`,
    ]),
    ...['insert', 'update', 'delete'].map(
      (event) => `create trigger moments_setting_${event} after ${event} on setting
        when ${event === 'delete' ? 'old' : 'new'}.name = '${settingName}' begin ${enqueueMissing(commented)}; end`,
    ),
    `create trigger moments_account_delete after delete on account begin ${forgetWords}; end`,
  ];
}

// Unlike in SQLite, existing rows of the queue are not checked, because another transaction may be deleting them.
const functionsForPostgres = [
  `create function moments_enqueue_video() returns trigger language plpgsql as $$
    begin
      insert into search_pending (kind, id) values ('moments', case tg_op when 'DELETE' then old.id else new.id end);
      return null;
    end $$`,
  `create function moments_enqueue_rows() returns trigger language plpgsql as $$
    begin
      insert into search_pending (kind, id) select distinct 'moments', video_id from changed;
      return null;
    end $$`,
  `create function moments_enqueue_commented() returns trigger language plpgsql as $$
    begin
      insert into search_pending (kind, id) select 'moments', id from (${commented}) as source;
      return null;
    end $$`,
  `create function moments_forget_words() returns trigger language plpgsql as $$
    begin
      ${forgetWords};
      return null;
    end $$`,
];

function forPostgres(): string[] {
  return [
    `create trigger moments_video_insert_delete after insert or delete on video
      for each row execute function moments_enqueue_video()`,
    `create trigger moments_video_update after update on video for each row when (${changed(tables.video.columns)})
      execute function moments_enqueue_video()`,
    ...['comment', 'metadata_history', 'note', 'generated_chapters'].flatMap((table) =>
      [
        ['insert', 'new'],
        ['update', 'new'],
        ['delete', 'old'],
      ].map(
        ([event, rows]) => `create trigger moments_${table}_${event} after ${event} on ${table}
          referencing ${rows} table as changed for each statement execute function moments_enqueue_rows()`,
      ),
    ),
    `create trigger moments_setting_set after insert or update on setting for each row when (new.name = '${settingName}')
      execute function moments_enqueue_commented()`,
    `create trigger moments_setting_unset after delete on setting for each row when (old.name = '${settingName}')
      execute function moments_enqueue_commented()`,
    `create trigger moments_account_delete after delete on account for each row execute function moments_forget_words()`,
  ];
}

/** Changes to index; the whole library when the group is created. */
export const moments: TriggerGroup = {
  name: 'moments',
  functions: (engine: Engine) => (engine === 'postgres' ? functionsForPostgres : []),
  fill: () => [
    `${enqueueMissing(`select id, downloaded_at from video where description <> '' or chapters <> '[]'
      or exists (select 1 from comment where comment.video_id = video.id)
      or exists (select 1 from metadata_history h where h.video_id = video.id)`)} order by downloaded_at`,
    // Also what is indexed but no longer exists.
    enqueueMissing('select distinct video_id as id from moment_document'),
    enqueueMissing('select distinct video_id as id from note'),
    enqueueMissing('select video_id as id from generated_chapters'),
  ],
  triggers: (engine) => (engine === 'sqlite' ? forSqlite() : forPostgres()),
};
