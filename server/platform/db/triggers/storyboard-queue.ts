import { triggerStatements, type Trigger, type TriggerGroup } from './triggers.ts';

/** Queues the video with this id if it has no storyboard of its current file. */
const enqueue = (id: string) => `insert into storyboard_pending (video_id)
    select video.id from video where video.id = ${id}
      and not exists (select 1 from storyboard s where s.video_id = video.id and s.source_sha256 = video.sha256)
      and not exists (select 1 from storyboard_pending w where w.video_id = video.id)`;

const dequeue = `delete from storyboard_pending where video_id = new.video_id
    and exists (select 1 from video where video.id = new.video_id and video.sha256 = new.source_sha256)`;

const triggers: Trigger[] = [
  { name: 'storyboard_queue_video_insert', event: 'after insert', table: 'video', statements: [enqueue('new.id')] },
  {
    name: 'storyboard_queue_video_update',
    event: 'after update of sha256',
    table: 'video',
    condition: 'old.sha256 <> new.sha256',
    statements: [enqueue('new.id')],
  },
  { name: 'storyboard_queue_insert', event: 'after insert', table: 'storyboard', statements: [dequeue] },
  { name: 'storyboard_queue_update', event: 'after update of source_sha256', table: 'storyboard', statements: [dequeue] },
  { name: 'storyboard_queue_delete', event: 'after delete', table: 'storyboard', statements: [enqueue('old.video_id')] },
];

/** Videos without a storyboard of their current file. */
export const storyboardQueue: TriggerGroup = {
  name: 'storyboard-queue',
  fill: () => ['delete from storyboard_pending', enqueue('video.id')],
  triggers: (engine) => triggerStatements(engine, triggers),
};
