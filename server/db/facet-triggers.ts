import type { Engine } from './db.ts';
import { statementsFor, type Trigger } from './triggers.ts';

// What lists of videos are narrowed to beside their own columns: tags, languages of subtitles, codecs, whether there are lines
// to search in, whether the file was found damaged. A row each, so that what is rare is found without reading a library; and
// counted.

/** The letters A to Z small; others stay as they are, on both engines alike. */
const small = (engine: Engine, text: string) => (engine === 'sqlite' ? `lower(${text})` : `lower((${text}) collate "C")`);

/** The entries of a JSON list as `listed.value`; of what is no list there are none. */
const entriesOf = (engine: Engine, list: string) =>
  engine === 'sqlite'
    ? `json_each(case when json_valid(${list}) then ${list} else '[]' end) as listed`
    : `facet_entries(${list}) as listed(value)`;

const forPostgres = `create function facet_entries(list text) returns setof text language plpgsql immutable as $$ begin
    return query select entry from json_array_elements_text(list::json) as entry;
    exception when others then return;
  end $$`;

/** Longer tags are cut: an index has no place for them. */
const addTags = (engine: Engine, row: 'new' | 'video') => `insert into facet (kind, value, video_id)
    select distinct 'tag', ${small(engine, 'substr(trim(listed.value), 1, 200)')}, ${row}.id
    from ${row === 'video' ? 'video, ' : ''}${entriesOf(engine, `${row}.tags`)} where trim(listed.value) <> ''`;

/** Once, however often it is said. */
const add = (
  kind: string,
  value: string,
  id: string,
) => `insert into facet (kind, value, video_id) select '${kind}', ${value}, ${id}
    where not exists (select 1 from facet f where f.kind = '${kind}' and f.value = ${value} and f.video_id = ${id})`;
const drop = (kind: string, value: string, id: string) =>
  `delete from facet where kind = '${kind}' and value = ${value} and video_id = ${id}`;

/** `en` of `en-US`. */
const base = (lang: string) =>
  `lower(case when ${lang} like '__-%' then substr(${lang}, 1, 2) when ${lang} like '___-%' then substr(${lang}, 1, 3) else ${lang} end)`;
const langs = (row: string) => [`lower(${row}.lang)`, base(`${row}.lang`)];
const codec = (row: string) => `lower(${row}.codec)`;

const dropLang = (value: string) =>
  `${drop('subtitles', value, 'old.video_id')} and not exists (select 1 from subtitle s
    where s.video_id = old.video_id and ${value} in (${langs('s').join(', ')}))`;

const tally = (by: '+' | '-', row: 'new' | 'old') =>
  by === '+'
    ? `insert into facet_tally (kind, value, videos) values (${row}.kind, ${row}.value, 1)
        on conflict (kind, value) do update set videos = facet_tally.videos + 1`
    : `update facet_tally set videos = videos - 1 where kind = ${row}.kind and value = ${row}.value`;

const triggers = (engine: Engine): Trigger[] => [
  { name: 'tags_are_noted', when: 'after insert', table: 'video', only: "new.tags <> '[]'", does: [addTags(engine, 'new')] },
  {
    name: 'other_tags_are_noted',
    when: 'after update of tags',
    table: 'video',
    only: 'old.tags <> new.tags',
    does: ["delete from facet where kind = 'tag' and video_id = new.id", addTags(engine, 'new')],
  },
  {
    name: 'damage_came',
    when: 'after insert',
    table: 'video',
    only: 'new.damage is not null',
    does: [add('damaged', "''", 'new.id')],
  },
  {
    name: 'damage_is_noted',
    when: 'after update of damage',
    table: 'video',
    only: 'old.damage is null and new.damage is not null',
    does: [add('damaged', "''", 'new.id')],
  },
  {
    name: 'damage_is_over',
    when: 'after update of damage',
    table: 'video',
    only: 'old.damage is not null and new.damage is null',
    does: [drop('damaged', "''", 'new.id')],
  },
  {
    name: 'codec_is_noted',
    when: 'after insert',
    table: 'stream',
    only: "new.type = 'video'",
    does: [add('codec', codec('new'), 'new.video_id')],
  },
  {
    name: 'codec_is_noted_no_more',
    when: 'after delete',
    table: 'stream',
    only: "old.type = 'video'",
    does: [
      `${drop('codec', codec('old'), 'old.video_id')} and not exists (select 1 from stream s
        where s.video_id = old.video_id and s.type = 'video' and ${codec('s')} = ${codec('old')})`,
    ],
  },
  {
    name: 'subtitle_is_noted',
    when: 'after insert',
    table: 'subtitle',
    does: langs('new').map((lang) => add('subtitles', lang, 'new.video_id')),
  },
  { name: 'subtitle_is_noted_no_more', when: 'after delete', table: 'subtitle', does: langs('old').map(dropLang) },
  { name: 'facet_is_counted', when: 'after insert', table: 'facet', does: [tally('+', 'new')] },
  { name: 'facet_is_counted_out', when: 'after delete', table: 'facet', does: [tally('-', 'old')] },
];

/** Of the lines of a video the first that comes and the last that goes matter; there may be thousands. */
const lineTriggers = (engine: Engine): string[] =>
  engine === 'sqlite'
    ? statementsFor(engine, [
        { name: 'lines_are_noted', when: 'after insert', table: 'line', does: [add('transcript', "''", 'new.video_id')] },
        {
          name: 'lines_are_noted_no_more',
          when: 'after delete',
          table: 'line',
          does: [
            `${drop('transcript', "''", 'old.video_id')} and not exists (select 1 from line where line.video_id = old.video_id)`,
          ],
        },
      ])
    : [
        `create function lines_are_noted() returns trigger language plpgsql as $$ begin
          insert into facet (kind, value, video_id) select distinct 'transcript', '', video_id from changed on conflict do nothing;
          return null; end $$`,
        `create trigger lines_are_noted after insert on line referencing new table as changed
          for each statement execute function lines_are_noted()`,
        `create function lines_are_noted_no_more() returns trigger language plpgsql as $$ begin
          delete from facet where kind = 'transcript' and video_id in (select video_id from changed)
            and not exists (select 1 from line where line.video_id = facet.video_id);
          return null; end $$`,
        `create trigger lines_are_noted_no_more after delete on line referencing old table as changed
          for each statement execute function lines_are_noted_no_more()`,
      ];

/** The statements that fill `facet` and `facet_tally` and make the triggers which keep them true. */
export const facetStatements = (engine: Engine): string[] => [
  ...(engine === 'postgres' ? [forPostgres] : []),
  addTags(engine, 'video'),
  "insert into facet (kind, value, video_id) select 'damaged', '', id from video where damage is not null",
  `insert into facet (kind, value, video_id) select distinct 'codec', ${codec('stream')}, video_id from stream where type = 'video'`,
  `insert into facet (kind, value, video_id)
    ${langs('subtitle')
      .map((lang) => `select 'subtitles', ${lang}, video_id from subtitle`)
      .join(' union ')}`,
  `insert into facet (kind, value, video_id) select 'transcript', '', id from video
    where exists (select 1 from line where line.video_id = video.id)`,
  'insert into facet_tally (kind, value, videos) select kind, value, count(*) from facet group by 1, 2',
  ...statementsFor(engine, triggers(engine)),
  ...lineTriggers(engine),
];
