import type { Engine } from './db.ts';
import { statementsFor, type Trigger } from './triggers.ts';

// What the dashboard tells of 100,000 videos is kept counted too: how much came on each day, which heights and codecs there
// are, and which files not every iPhone plays.

// As people call heights, by the shorter side, with a little slack for what is not quite that.
const classes: [from: number, height: number][] = [
  [2000, 2160],
  [1400, 1440],
  [1000, 1080],
  [700, 720],
  [440, 480],
  [330, 360],
];

/** The class of a picture's height, of a row of streams by this name. */
export function heightClass(row: string): string {
  const shorter = `(case when ${row}.width < ${row}.height then ${row}.width else ${row}.height end)`;
  return `(case ${classes.map(([from, height]) => `when ${shorter} >= ${from} then ${height}`).join(' ')} else 240 end)`;
}

const isLike = (column: string, patterns: string[]) =>
  `(${patterns.map((pattern) => `lower(${column}) like '${pattern}'`).join(' or ')})`;
// Of everything that iPhones play in films, what the oldest in use does too.
const fits = `((stream.type = 'video' and ${isLike('stream.codec', ['h264', 'avc%', 'hevc', 'hvc1%', 'hev1%'])})
  or (stream.type = 'audio' and ${isLike('stream.codec', ['aac', 'mp4a%', 'mp3', 'ac3', 'eac3', 'alac'])}))`;
const opens = isLike('video.media_path', ['%.mp4', '%.m4v', '%.mov']);
const withOthers = `exists (select 1 from stream where stream.video_id = video.id and not ${fits})`;

/** Writes down the videos that not every iPhone plays, and what would help, of those that a condition names. */
export const noteAwkward = (which: string) => `insert into awkward (video_id, mend)
    select video.id, case when ${withOthers} then 'fetch' else 'pack' end from video
    where ${which} and (not ${opens} or ${withOthers}) and exists (select 1 from stream where stream.video_id = video.id)`;

const judge = (id: string) => [`delete from awkward where video_id = ${id}`, noteAwkward(`video.id = ${id}`)];

const addStream = `insert into format_tally (height, codec, videos, size_bytes)
    select ${heightClass('new')}, new.codec, 1, size_bytes from video where id = new.video_id
    on conflict (height, codec) do update set videos = format_tally.videos + 1,
      size_bytes = format_tally.size_bytes + excluded.size_bytes`;

const dropStream = `update format_tally set videos = videos - 1,
      size_bytes = size_bytes - coalesce((select size_bytes from video where id = old.video_id), 0)
    where height = ${heightClass('old')} and codec = old.codec`;

const dayOf = (row: string) => `${row}.downloaded_at / 86400`;

const addDay = `insert into day_tally (day, videos, size_bytes) values (${dayOf('new')}, 1, new.size_bytes)
    on conflict (day) do update set videos = day_tally.videos + 1, size_bytes = day_tally.size_bytes + excluded.size_bytes`;

const dropDay = `update day_tally set videos = videos - 1, size_bytes = size_bytes - old.size_bytes where day = ${dayOf('old')}`;

const ofSameFormat = `from stream where stream.video_id = new.id and stream.type = 'video'
      and ${heightClass('stream')} = format_tally.height and stream.codec = format_tally.codec`;

const triggers: Trigger[] = [
  { name: 'video_is_counted_to_its_day', when: 'after insert', table: 'video', does: [addDay] },
  { name: 'video_is_counted_out_of_its_day', when: 'after delete', table: 'video', does: [dropDay] },
  {
    name: 'video_comes_on_another_day',
    when: 'after update of downloaded_at, size_bytes',
    table: 'video',
    only: 'old.downloaded_at <> new.downloaded_at or old.size_bytes <> new.size_bytes',
    does: [dropDay, addDay],
  },
  // While the video can still say how large it is; a foreign key would come too late.
  {
    name: 'video_lets_its_streams_go',
    when: 'before delete',
    table: 'video',
    does: ['delete from stream where video_id = old.id'],
  },
  {
    name: 'video_of_another_size',
    when: 'after update of size_bytes',
    table: 'video',
    only: 'old.size_bytes <> new.size_bytes',
    does: [
      `update format_tally set size_bytes = size_bytes + (new.size_bytes - old.size_bytes) * (select count(*) ${ofSameFormat})
        where exists (select 1 ${ofSameFormat})`,
    ],
  },
  {
    name: 'video_in_another_file',
    when: 'after update of media_path',
    table: 'video',
    only: 'old.media_path <> new.media_path',
    does: judge('new.id'),
  },
  { name: 'picture_is_counted', when: 'after insert', table: 'stream', only: "new.type = 'video'", does: [addStream] },
  { name: 'picture_is_counted_out', when: 'after delete', table: 'stream', only: "old.type = 'video'", does: [dropStream] },
  {
    name: 'awkward_is_counted',
    when: 'after insert',
    table: 'awkward',
    does: [
      `insert into awkward_tally (mend, videos) values (new.mend, 1)
        on conflict (mend) do update set videos = awkward_tally.videos + 1`,
    ],
  },
  {
    name: 'awkward_is_counted_out',
    when: 'after delete',
    table: 'awkward',
    does: ['update awkward_tally set videos = videos - 1 where mend = old.mend'],
  },
  { name: 'stream_is_judged', when: 'after insert', table: 'stream', does: judge('new.video_id') },
  { name: 'stream_is_judged_no_more', when: 'after delete', table: 'stream', does: judge('old.video_id') },
];

/** The statements that make the triggers which keep `day_tally`, `format_tally`, `awkward` and `awkward_tally` true. */
export const figureTriggers = (engine: Engine): string[] => statementsFor(engine, triggers);
