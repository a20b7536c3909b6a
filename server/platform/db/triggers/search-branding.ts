import { triggerStatements, type TriggerGroup } from './triggers.ts';

/** Titles by viewers to index. Apart from `search`, so that the whole library is not indexed again. */
export const searchBranding: TriggerGroup = {
  name: 'search-branding',
  fill: () => [],
  triggers: (engine) =>
    triggerStatements(engine, [
      {
        name: 'search_video_branding',
        event: 'after update of branding',
        table: 'video',
        condition: 'old.branding is distinct from new.branding',
        statements: [`insert into search_pending (kind, id) values ('video', new.id)`],
      },
    ]),
};
