import { homeCalls, type HomeSectionName } from '#contract/home.ts';
import type { UserConfig } from '#contract/user.ts';
import { VideoFilter } from '#contract/video.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { hasVideos } from '../../archive/video/store.ts';
import { asRawVideos } from '../../archive/video-json/load-videos.ts';
import type { Db } from '../../platform/db/db.ts';
import { hasScope } from '../../platform/http/auth/authenticate.ts';
import { routes, type User } from '../../platform/http/route.ts';
import { findListsIn } from '../smart-list/store.ts';
import { findAccount } from '../user/account/store.ts';
import { serializeConfig } from '../user/shape.ts';
import { readSections, type SectionRequest } from './read-sections.ts';

const weekSeconds = 7 * 86_400;

/** Filters of the sections that are no smart lists. */
const sectionFilters: Record<Exclude<HomeSectionName, 'subscriptions'>, Partial<VideoFilter>> = {
  continue: { watch: 'continue' },
  shorts: { type: 'shorts' },
  unavailable: { active: false },
};

const numberOf = (section: string) => Number(/^list:(\d+)$/.exec(section)?.[1] ?? 0);

/** Returns the user's sections. Smart lists that were deleted, or are no longer shared, are left out. */
async function sectionsOf(db: Db, user: User, { home_sections, hide_watched }: UserConfig, since: number) {
  const viewer = { id: user.id, hasNotes: hasScope(user, 'notes') };
  const lists = await findListsIn(db, viewer, home_sections.map(numberOf).filter(Boolean));
  const listOf = (section: string) => lists.find(({ number }) => number === numberOf(section));
  const requests = home_sections.flatMap((section): SectionRequest[] => {
    const list = listOf(section);
    if (list) {
      const { data } = VideoFilter.safeParse(JSON.parse(list.filter));
      return data ? [{ section, filter: data }] : [];
    }
    if (section === 'subscriptions') return [{ section, addedAfter: since }];
    const own = sectionFilters[section as keyof typeof sectionFilters] as Partial<VideoFilter> | undefined;
    return own ? [{ section, filter: VideoFilter.parse({ ...(hide_watched && { watch: 'unwatched' }), ...own }) }] : [];
  });
  return { requests, listOf };
}

export const homeRoutes = routes(homeCalls, {
  'GET /api/home/': async ({ query, user }, { db, now }) => {
    if (!(await hasVideos(db))) {
      const needs_setup = user.isStaff && !(await readSettings(db)).application.setup_done;
      return { sections: [], data: [], is_empty: true, needs_setup };
    }
    const config = serializeConfig(await findAccount(db, user.id));
    const { requests, listOf } = await sectionsOf(db, user, config, query.since ?? now() - weekSeconds);
    const { sections, videos } = await readSections(db, { accountId: user.id, requests });
    const shown = sections.filter(({ ids }) => ids.length > 0);
    return {
      sections: shown.map(({ section, ids }) => {
        const list = listOf(section);
        return { section, list: list ? { id: list.number, name: list.name } : null, videos: ids };
      }),
      data: asRawVideos(videos),
      is_empty: false,
      needs_setup: false,
    };
  },
});
