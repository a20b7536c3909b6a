import type { Engine } from './db.ts';
import { statementsFor, type Trigger } from './triggers.ts';

/** Notes the videos with this id whose file has not been looked at for previews yet. */
const want = (id: string) => `insert into storyboard_wanted (video_id)
    select video.id from video where video.id = ${id}
      and not exists (select 1 from storyboard s where s.video_id = video.id and s.made_of = video.sha256)
      and not exists (select 1 from storyboard_wanted w where w.video_id = video.id)`;

const looked = `delete from storyboard_wanted where video_id = new.video_id
    and exists (select 1 from video where video.id = new.video_id and video.sha256 = new.made_of)`;

const triggers: Trigger[] = [
  { name: 'previews_are_wanted', when: 'after insert', table: 'video', does: [want('new.id')] },
  {
    name: 'previews_of_another_file_are_wanted',
    when: 'after update of sha256',
    table: 'video',
    only: 'old.sha256 <> new.sha256',
    does: [want('new.id')],
  },
  { name: 'previews_are_there', when: 'after insert', table: 'storyboard', does: [looked] },
  { name: 'previews_are_there_anew', when: 'after update of made_of', table: 'storyboard', does: [looked] },
  { name: 'previews_are_gone', when: 'after delete', table: 'storyboard', does: [want('old.video_id')] },
];

/** The statements that fill `storyboard_wanted` and make the triggers which keep it true. */
export const previewsWantedStatements = (engine: Engine): string[] => [want('video.id'), ...statementsFor(engine, triggers)];
