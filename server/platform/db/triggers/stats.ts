import { triggerStatements, type Trigger, type TriggerGroup } from './triggers.ts';

// Statistics of 100,000 videos are maintained as counters: videos per day, heights and codecs, and files that some iPhones cannot
// play.

// Common height classes by the shorter side, with tolerance.
const classes: [from: number, height: number][] = [
  [2000, 2160],
  [1400, 1440],
  [1000, 1080],
  [700, 720],
  [440, 480],
  [330, 360],
];

/** Returns the SQL for the height class of a row of `stream`. */
export function heightClass(row: string): string {
  const shorter = `(case when ${row}.width < ${row}.height then ${row}.width else ${row}.height end)`;
  return `(case ${classes.map(([from, height]) => `when ${shorter} >= ${from} then ${height}`).join(' ')} else 240 end)`;
}

const isLike = (column: string, patterns: string[]) =>
  `(${patterns.map((pattern) => `lower(${column}) like '${pattern}'`).join(' or ')})`;
// Codecs that the oldest iPhones in use play.
const isPlayableCodec = `((stream.type = 'video' and ${isLike('stream.codec', ['h264', 'avc%', 'hevc', 'hvc1%', 'hev1%'])})
  or (stream.type = 'audio' and ${isLike('stream.codec', ['aac', 'mp4a%', 'mp3', 'ac3', 'eac3', 'alac'])}))`;
const isPlayableContainer = isLike('video.media_path', ['%.mp4', '%.m4v', '%.mov']);
const hasOtherCodecs = `exists (select 1 from stream where stream.video_id = video.id and not ${isPlayableCodec})`;

/** Returns the SQL that records incompatible videos and the remedy. */
const recordIncompatible = (which: string) => `insert into incompatible_video (video_id, fix)
    select video.id, case when ${hasOtherCodecs} then 'redownload' else 'remux' end from video
    where ${which} and (not ${isPlayableContainer} or ${hasOtherCodecs}) and exists (select 1 from stream where stream.video_id = video.id)`;

const reclassify = (id: string) => [
  `delete from incompatible_video where video_id = ${id}`,
  recordIncompatible(`video.id = ${id}`),
];

const addStream = `insert into format_count (height, codec, videos, size_bytes)
    select ${heightClass('new')}, new.codec, 1, size_bytes from video where id = new.video_id
    on conflict (height, codec) do update set videos = format_count.videos + 1,
      size_bytes = format_count.size_bytes + excluded.size_bytes`;

const subtractStream = `update format_count set videos = videos - 1,
      size_bytes = size_bytes - coalesce((select size_bytes from video where id = old.video_id), 0)
    where height = ${heightClass('old')} and codec = old.codec`;

const dayOf = (row: string) => `${row}.downloaded_at / 86400`;

const addDay = `insert into day_count (day, videos, size_bytes) values (${dayOf('new')}, 1, new.size_bytes)
    on conflict (day) do update set videos = day_count.videos + 1, size_bytes = day_count.size_bytes + excluded.size_bytes`;

const subtractDay = `update day_count set videos = videos - 1, size_bytes = size_bytes - old.size_bytes where day = ${dayOf('old')}`;

const ofSameFormat = `from stream where stream.video_id = new.id and stream.type = 'video'
      and ${heightClass('stream')} = format_count.height and stream.codec = format_count.codec`;

const triggers: Trigger[] = [
  { name: 'day_count_insert', event: 'after insert', table: 'video', statements: [addDay] },
  { name: 'day_count_delete', event: 'after delete', table: 'video', statements: [subtractDay] },
  {
    name: 'day_count_update',
    event: 'after update of downloaded_at, size_bytes',
    table: 'video',
    condition: 'old.downloaded_at <> new.downloaded_at or old.size_bytes <> new.size_bytes',
    statements: [subtractDay, addDay],
  },
  // Before the video row is deleted, because its size is needed; a foreign key would run later.
  {
    name: 'video_delete_streams',
    event: 'before delete',
    table: 'video',
    statements: ['delete from stream where video_id = old.id'],
  },
  {
    name: 'format_count_size',
    event: 'after update of size_bytes',
    table: 'video',
    condition: 'old.size_bytes <> new.size_bytes',
    statements: [
      `update format_count set size_bytes = size_bytes + (new.size_bytes - old.size_bytes) * (select count(*) ${ofSameFormat})
        where exists (select 1 ${ofSameFormat})`,
    ],
  },
  {
    name: 'incompatible_video_path',
    event: 'after update of media_path',
    table: 'video',
    condition: 'old.media_path <> new.media_path',
    statements: reclassify('new.id'),
  },
  {
    name: 'format_count_insert',
    event: 'after insert',
    table: 'stream',
    condition: "new.type = 'video'",
    statements: [addStream],
  },
  {
    name: 'format_count_delete',
    event: 'after delete',
    table: 'stream',
    condition: "old.type = 'video'",
    statements: [subtractStream],
  },
  {
    name: 'incompatible_count_insert',
    event: 'after insert',
    table: 'incompatible_video',
    statements: [
      `insert into incompatible_count (fix, videos) values (new.fix, 1)
        on conflict (fix) do update set videos = incompatible_count.videos + 1`,
    ],
  },
  {
    name: 'incompatible_count_delete',
    event: 'after delete',
    table: 'incompatible_video',
    statements: ['update incompatible_count set videos = videos - 1 where fix = old.fix'],
  },
  { name: 'incompatible_stream_insert', event: 'after insert', table: 'stream', statements: reclassify('new.video_id') },
  { name: 'incompatible_stream_delete', event: 'after delete', table: 'stream', statements: reclassify('old.video_id') },
];

/** Videos per day and format, and incompatible files. */
export const stats: TriggerGroup = {
  name: 'stats',
  fill: () => [
    'delete from day_count',
    `insert into day_count (day, videos, size_bytes)
      select downloaded_at / 86400, count(*), sum(size_bytes) from video group by 1`,
    'delete from format_count',
    `insert into format_count (height, codec, videos, size_bytes)
      select ${heightClass('stream')}, stream.codec, count(*), sum(video.size_bytes)
      from stream join video on video.id = stream.video_id where stream.type = 'video' group by 1, 2`,
    'delete from incompatible_video',
    recordIncompatible('1 = 1'),
    'delete from incompatible_count',
    'insert into incompatible_count (fix, videos) select fix, count(*) from incompatible_video group by 1',
  ],
  triggers: (engine) => triggerStatements(engine, triggers),
};
