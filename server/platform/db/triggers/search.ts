import type { Engine } from '../db.ts';
import type { TriggerGroup } from './triggers.ts';

// Changes of names and transcripts are queued in `search_pending` and indexed in the background.

/** Columns that are searched. */
const searched = {
  video: ['title', 'tags', 'categories', 'channel_id'],
  channel: ['name', 'description', 'tags'],
  playlist: ['name', 'description'],
} as const;

function forSqlite(): string[] {
  const enqueue = (kind: string, id: string) => `insert into search_pending (kind, id) select '${kind}', ${id}
    where not exists (select 1 from search_pending where kind = '${kind}' and id = ${id});`;
  return [
    ...Object.entries(searched).flatMap(([kind, columns]) => {
      const changed = columns.map((column) => `old.${column} is not new.${column}`).join(' or ');
      return [
        `create trigger search_${kind}_insert after insert on ${kind} begin ${enqueue(kind, 'new.id')} end`,
        `create trigger search_${kind}_update after update of ${columns.join(', ')} on ${kind} when ${changed}
          begin ${enqueue(kind, 'new.id')} end`,
        `create trigger search_${kind}_delete after delete on ${kind} begin ${enqueue(kind, 'old.id')} end`,
      ];
    }),
    `create trigger search_video_channel after update of channel_id on video when old.channel_id is not new.channel_id
      begin ${enqueue('lines', 'new.id')} end`,
    ...['transcript_line', 'subtitle'].flatMap((table) => [
      `create trigger search_${table}_insert after insert on ${table} begin ${enqueue('lines', 'new.video_id')} end`,
      `create trigger search_${table}_update after update on ${table} begin ${enqueue('lines', 'new.video_id')} end`,
      `create trigger search_${table}_delete after delete on ${table} begin ${enqueue('lines', 'old.video_id')} end`,
    ]),
  ];
}

// Unlike in SQLite, existing rows of the queue are not checked, because another transaction may be deleting them.
const functionsForPostgres = [
  `create function search_enqueue() returns trigger language plpgsql as $$
    begin
      insert into search_pending (kind, id) values (tg_argv[0], case tg_op when 'DELETE' then old.id else new.id end);
      return null;
    end $$`,
  `create function search_enqueue_lines() returns trigger language plpgsql as $$
    begin
      insert into search_pending (kind, id) select distinct 'lines', video_id from changed;
      return null;
    end $$`,
];

function forPostgres(): string[] {
  return [
    ...Object.entries(searched).flatMap(([kind, columns]) => {
      const changed = columns.map((column) => `old.${column} is distinct from new.${column}`).join(' or ');
      return [
        `create trigger search_${kind}_insert_delete after insert or delete on ${kind}
          for each row execute function search_enqueue('${kind}')`,
        `create trigger search_${kind}_update after update on ${kind} for each row when (${changed})
          execute function search_enqueue('${kind}')`,
      ];
    }),
    `create trigger search_video_channel after update on video for each row
      when (old.channel_id is distinct from new.channel_id) execute function search_enqueue('lines')`,
    ...['transcript_line', 'subtitle'].flatMap((table) =>
      [
        ['insert', 'new'],
        ['update', 'new'],
        ['delete', 'old'],
      ].map(
        ([event, rows]) => `create trigger search_${table}_${event} after ${event} on ${table}
          referencing ${rows} table as changed for each statement execute function search_enqueue_lines()`,
      ),
    ),
  ];
}

const enqueueMissing = (rows: string) => `insert into search_pending (kind, id) select kind, id from (${rows}) as source
    where not exists (select 1 from search_pending p where p.kind = source.kind and p.id = source.id)`;

/** Changes to index; the whole library when the group is created. */
export const search: TriggerGroup = {
  name: 'search',
  functions: (engine: Engine) => (engine === 'postgres' ? functionsForPostgres : []),
  fill: () => [
    enqueueMissing(`select 'channel' as kind, id from channel`),
    enqueueMissing(`select 'playlist' as kind, id from playlist`),
    `${enqueueMissing(`select 'video' as kind, id, published_at from video`)} order by published_at`,
    `${enqueueMissing(`select 'lines' as kind, id, downloaded_at from video
      where exists (select 1 from transcript_line where transcript_line.video_id = video.id)`)} order by downloaded_at`,
    // Also what is indexed but no longer exists.
    enqueueMissing('select kind, id from search_document'),
    enqueueMissing(`select distinct 'lines' as kind, video_id as id from search_track`),
  ],
  triggers: (engine) => (engine === 'sqlite' ? forSqlite() : forPostgres()),
};
