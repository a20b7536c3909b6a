import { triggerStatements, type TriggerGroup } from './triggers.ts';

/** Generated chapters depend on whether the site has some. Those of another transcript go with its passages, by a foreign key. */
export const generatedChapters: TriggerGroup = {
  name: 'generated-chapters',
  fill: () => [],
  triggers: (engine) =>
    triggerStatements(engine, [
      {
        name: 'generated_chapters_video_update',
        event: 'after update of chapters',
        table: 'video',
        condition: 'old.chapters <> new.chapters',
        statements: ['delete from generated_chapters where video_id = new.id'],
      },
    ]),
};
