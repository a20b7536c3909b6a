import type { Engine } from '../db.ts';
import { triggerStatements, type Trigger, type TriggerGroup } from './triggers.ts';

// Facets of video lists: tags, artists, albums, subtitle languages, codecs, transcripts, damaged files, limited quality, availability, subscriptions. One row each,
// so that rare values are found without scanning the library; with counters.

/** SQL for lower case of A to Z only, the same on both engines. */
const lowerAscii = (engine: Engine, text: string) => (engine === 'sqlite' ? `lower(${text})` : `lower((${text}) collate "C")`);

/** SQL for the items of a JSON list as `items.value`; none for invalid JSON. */
const itemsOf = (engine: Engine, list: string) =>
  engine === 'sqlite'
    ? `json_each(case when json_valid(${list}) then ${list} else '[]' end) as items`
    : `facet_items(${list}) as items(value)`;

const itemsFunction = `create function facet_items(list text) returns setof text language plpgsql immutable as $$ begin
    return query select item from json_array_elements_text(list::json) as item;
    exception when others then return;
  end $$`;

/** Longer tags are truncated because of the index size. */
const addTags = (engine: Engine, row: 'new' | 'video') => `insert into facet (kind, value, video_id)
    select distinct 'tag', ${lowerAscii(engine, 'substr(trim(items.value), 1, 200)')}, ${row}.id
    from ${row === 'video' ? 'video, ' : ''}${itemsOf(engine, `${row}.tags`)} where trim(items.value) <> ''`;

const textOfMusic = `create function facet_music(music text, field text) returns text language plpgsql immutable as $$ begin
    return music::json ->> field;
    exception when others then return null;
  end $$`;

/** SQL for a field of the music of a video: that of staff, or else that of the source. Null for invalid JSON. */
const ofMusic = (engine: Engine, row: string, field: 'artists' | 'album') => {
  const music = `coalesce(${row}.music_edit, ${row}.music)`;
  return engine === 'sqlite'
    ? `json_extract(case when json_valid(${music}) then ${music} else '{}' end, '$.${field}')`
    : `facet_music(${music}, '${field}')`;
};
const hasMusic = (row: string) => `(${row}.music is not null or ${row}.music_edit is not null)`;

/** SQL statements that add the artists and the album of a video, or of all videos. */
const addMusic = (engine: Engine, row: 'new' | 'video') => {
  const [from, only] = row === 'video' ? [' from video', ` and ${hasMusic('video')}`] : ['', ''];
  const cut = (text: string) => lowerAscii(engine, `substr(trim(${text}), 1, 200)`);
  const [artists, album] = [ofMusic(engine, row, 'artists'), ofMusic(engine, row, 'album')];
  return [
    `insert into facet (kind, value, video_id) select distinct 'artist', ${cut('items.value')}, ${row}.id
      from ${row === 'video' ? 'video, ' : ''}${itemsOf(engine, artists)} where trim(items.value) <> ''${only}`,
    `insert into facet (kind, value, video_id) select 'album', ${cut(album)}, ${row}.id${from} where trim(${album}) <> ''${only}`,
  ];
};

/** SQL to insert a facet once. */
const add = (
  kind: string,
  value: string,
  id: string,
) => `insert into facet (kind, value, video_id) select '${kind}', ${value}, ${id}
    where not exists (select 1 from facet f where f.kind = '${kind}' and f.value = ${value} and f.video_id = ${id})`;
const remove = (kind: string, value: string, id: string) =>
  `delete from facet where kind = '${kind}' and value = ${value} and video_id = ${id}`;

/** SQL for the base language: `en` of `en-US`. */
const base = (lang: string) =>
  `lower(case when ${lang} like '__-%' then substr(${lang}, 1, 2) when ${lang} like '___-%' then substr(${lang}, 1, 3) else ${lang} end)`;
const langs = (row: string) => [`lower(${row}.lang)`, base(`${row}.lang`)];
const codec = (row: string) => `lower(${row}.codec)`;

/** SQL that tells whether a video belongs to a subscription: its channel or one of its playlists is subscribed. */
const isSubscribed = `(exists (select 1 from channel where channel.id = video.channel_id and channel.is_subscribed = 1)
    or exists (select 1 from playlist_video join playlist on playlist.id = playlist_video.playlist_id
      where playlist_video.video_id = video.id and playlist.is_subscribed = 1))`;

/** Statements that correct the facet of these videos. */
const refreshSubscribed = (ids: string) => [
  `delete from facet where kind = 'subscribed' and value = '' and video_id in (${ids})
    and not exists (select 1 from video where video.id = facet.video_id and ${isSubscribed})`,
  `insert into facet (kind, value, video_id) select 'subscribed', '', video.id from video
    where video.id in (${ids}) and ${isSubscribed}
    and not exists (select 1 from facet f where f.kind = 'subscribed' and f.value = '' and f.video_id = video.id)`,
];

const removeLang = (value: string) =>
  `${remove('subtitles', value, 'old.video_id')} and not exists (select 1 from subtitle s
    where s.video_id = old.video_id and ${value} in (${langs('s').join(', ')}))`;

const count = (by: '+' | '-', row: 'new' | 'old') =>
  by === '+'
    ? `insert into facet_count (kind, value, videos) values (${row}.kind, ${row}.value, 1)
        on conflict (kind, value) do update set videos = facet_count.videos + 1`
    : `update facet_count set videos = videos - 1 where kind = ${row}.kind and value = ${row}.value`;

/** Triggers of a facet without a value, which a video has while `isSet` holds for its column. */
const flagTriggers = (kind: string, column: string, isSet: (row: 'new' | 'old') => string): Trigger[] => [
  {
    name: `facet_${kind}_insert`,
    event: 'after insert',
    table: 'video',
    condition: isSet('new'),
    statements: [add(kind, "''", 'new.id')],
  },
  {
    name: `facet_${kind}_set`,
    event: `after update of ${column}`,
    table: 'video',
    condition: `not (${isSet('old')}) and ${isSet('new')}`,
    statements: [add(kind, "''", 'new.id')],
  },
  {
    name: `facet_${kind}_reset`,
    event: `after update of ${column}`,
    table: 'video',
    condition: `${isSet('old')} and not (${isSet('new')})`,
    statements: [remove(kind, "''", 'new.id')],
  },
];

/** SQL that tells whether the source has a video in a better quality, so far as is known. */
const isLimited = (row: string) => `(${row}.limitation is not null or ${row}.upgrade is not null)`;

const triggers = (engine: Engine): Trigger[] => [
  {
    name: 'facet_tags_insert',
    event: 'after insert',
    table: 'video',
    condition: "new.tags <> '[]'",
    statements: [addTags(engine, 'new')],
  },
  {
    name: 'facet_tags_update',
    event: 'after update of tags',
    table: 'video',
    condition: 'old.tags <> new.tags',
    statements: ["delete from facet where kind = 'tag' and video_id = new.id", addTags(engine, 'new')],
  },
  {
    name: 'facet_music_insert',
    event: 'after insert',
    table: 'video',
    condition: hasMusic('new'),
    statements: addMusic(engine, 'new'),
  },
  {
    name: 'facet_music_update',
    event: 'after update of music, music_edit',
    table: 'video',
    condition: 'old.music is distinct from new.music or old.music_edit is distinct from new.music_edit',
    statements: ["delete from facet where kind in ('artist', 'album') and video_id = new.id", ...addMusic(engine, 'new')],
  },
  ...flagTriggers('limited', 'limitation, upgrade', isLimited),
  ...flagTriggers('damaged', 'damage', (row) => `${row}.damage is not null`),
  ...flagTriggers('unavailable', 'is_active', (row) => `${row}.is_active = 0`),
  { name: 'facet_subscribed_insert', event: 'after insert', table: 'video', statements: refreshSubscribed('new.id') },
  {
    name: 'facet_subscribed_move',
    event: 'after update of channel_id',
    table: 'video',
    condition: 'old.channel_id <> new.channel_id',
    statements: refreshSubscribed('new.id'),
  },
  {
    name: 'facet_subscribed_channel',
    event: 'after update of is_subscribed',
    table: 'channel',
    condition: 'old.is_subscribed <> new.is_subscribed',
    statements: refreshSubscribed('select v.id from video v where v.channel_id = new.id'),
  },
  {
    name: 'facet_subscribed_playlist',
    event: 'after update of is_subscribed',
    table: 'playlist',
    condition: 'old.is_subscribed <> new.is_subscribed',
    statements: refreshSubscribed('select pv.video_id from playlist_video pv where pv.playlist_id = new.id'),
  },
  {
    name: 'facet_subscribed_entry_insert',
    event: 'after insert',
    table: 'playlist_video',
    statements: refreshSubscribed('new.video_id'),
  },
  {
    name: 'facet_subscribed_entry_delete',
    event: 'after delete',
    table: 'playlist_video',
    statements: refreshSubscribed('old.video_id'),
  },
  {
    name: 'facet_codec_insert',
    event: 'after insert',
    table: 'stream',
    condition: "new.type = 'video'",
    statements: [add('codec', codec('new'), 'new.video_id')],
  },
  {
    name: 'facet_codec_delete',
    event: 'after delete',
    table: 'stream',
    condition: "old.type = 'video'",
    statements: [
      `${remove('codec', codec('old'), 'old.video_id')} and not exists (select 1 from stream s
        where s.video_id = old.video_id and s.type = 'video' and ${codec('s')} = ${codec('old')})`,
    ],
  },
  {
    name: 'facet_subtitle_insert',
    event: 'after insert',
    table: 'subtitle',
    statements: langs('new').map((lang) => add('subtitles', lang, 'new.video_id')),
  },
  { name: 'facet_subtitle_delete', event: 'after delete', table: 'subtitle', statements: langs('old').map(removeLang) },
  { name: 'facet_count_insert', event: 'after insert', table: 'facet', statements: [count('+', 'new')] },
  { name: 'facet_count_delete', event: 'after delete', table: 'facet', statements: [count('-', 'old')] },
];

/** Only the first inserted and the last deleted line of a video matter, because there may be thousands. */
const transcriptTriggers = (engine: Engine): string[] =>
  engine === 'sqlite'
    ? triggerStatements(engine, [
        {
          name: 'facet_transcript_insert',
          event: 'after insert',
          table: 'transcript_line',
          statements: [add('transcript', "''", 'new.video_id')],
        },
        {
          name: 'facet_transcript_delete',
          event: 'after delete',
          table: 'transcript_line',
          statements: [
            `${remove('transcript', "''", 'old.video_id')} and not exists (select 1 from transcript_line where transcript_line.video_id = old.video_id)`,
          ],
        },
      ])
    : [
        `create function facet_transcript_insert() returns trigger language plpgsql as $$ begin
          insert into facet (kind, value, video_id) select distinct 'transcript', '', video_id from changed on conflict do nothing;
          return null; end $$`,
        `create trigger facet_transcript_insert after insert on transcript_line referencing new table as changed
          for each statement execute function facet_transcript_insert()`,
        `create function facet_transcript_delete() returns trigger language plpgsql as $$ begin
          delete from facet where kind = 'transcript' and video_id in (select video_id from changed)
            and not exists (select 1 from transcript_line where transcript_line.video_id = facet.video_id);
          return null; end $$`,
        `create trigger facet_transcript_delete after delete on transcript_line referencing old table as changed
          for each statement execute function facet_transcript_delete()`,
      ];

/** Facets of videos and their counters. */
export const facets: TriggerGroup = {
  name: 'facets',
  functions: (engine) => (engine === 'postgres' ? [itemsFunction, textOfMusic] : []),
  fill: (engine) => [
    'delete from facet',
    addTags(engine, 'video'),
    ...addMusic(engine, 'video'),
    `insert into facet (kind, value, video_id) select 'limited', '', id from video where ${isLimited('video')}`,
    "insert into facet (kind, value, video_id) select 'damaged', '', id from video where damage is not null",
    "insert into facet (kind, value, video_id) select 'unavailable', '', id from video where is_active = 0",
    `insert into facet (kind, value, video_id) select 'subscribed', '', id from video where ${isSubscribed}`,
    `insert into facet (kind, value, video_id) select distinct 'codec', ${codec('stream')}, video_id from stream where type = 'video'`,
    `insert into facet (kind, value, video_id)
      ${langs('subtitle')
        .map((lang) => `select 'subtitles', ${lang}, video_id from subtitle`)
        .join(' union ')}`,
    `insert into facet (kind, value, video_id) select 'transcript', '', id from video
      where exists (select 1 from transcript_line where transcript_line.video_id = video.id)`,
    'delete from facet_count',
    'insert into facet_count (kind, value, videos) select kind, value, count(*) from facet group by 1, 2',
  ],
  triggers: (engine) => [...triggerStatements(engine, triggers(engine)), ...transcriptTriggers(engine)],
};
