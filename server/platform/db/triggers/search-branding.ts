import { triggerStatements, type TriggerGroup } from './triggers.ts';

/** Titles by viewers, and artists and albums, to index. Apart from `search`, so that the whole library is not indexed again. */
export const searchBranding: TriggerGroup = {
  name: 'search-branding',
  fill: () => [],
  triggers: (engine) =>
    triggerStatements(engine, [
      {
        name: 'search_video_branding',
        event: 'after update of branding, music, music_edit',
        table: 'video',
        condition: ['branding', 'music', 'music_edit'].map((one) => `old.${one} is distinct from new.${one}`).join(' or '),
        statements: [`insert into search_pending (kind, id) values ('video', new.id)`],
      },
    ]),
};
