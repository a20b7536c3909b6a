import { triggerStatements, type TriggerGroup } from './triggers.ts';

const ofTrack = 'where video_id = old.video_id and lang = old.lang';

/** The vectors of a text are as private as the text, so they are deleted with their track. Those of a video go with its row. */
export const passages: TriggerGroup = {
  name: 'passages',
  fill: () => [],
  triggers: (engine) =>
    triggerStatements(engine, [
      {
        name: 'passages_subtitle_delete',
        event: 'after delete',
        table: 'subtitle',
        statements: [`delete from passage ${ofTrack}`, `delete from passage_track ${ofTrack}`],
      },
      // A track that loses one of its nearest is compared again.
      {
        name: 'related_track_delete',
        event: 'after delete',
        table: 'related_track',
        statements: ['update track_vector set state = 1 where number = old.number and state = 2'],
      },
    ]),
};
