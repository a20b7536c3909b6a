import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { integer } from './field-types.ts';
import { Video } from './video.ts';

// Sections of the home page. Not in TubeArchivist.

/** Sections that every user can choose; `list:ID` is a smart list. */
export const homeSectionNames = ['continue', 'subscriptions', 'shorts', 'unavailable'] as const;
export type HomeSectionName = (typeof homeSectionNames)[number];

export const HomeSection = z.object({
  /** As in the setting `home_sections`. */
  section: z.string(),
  /** The smart list of the section, or null. */
  list: z.object({ id: z.int(), name: z.string() }).nullable(),
  /** Videos in order, at most 12; all are in `data`. A video is in one section only. */
  videos: z.array(z.string()).min(1),
});
export type HomeSection = z.infer<typeof HomeSection>;

export const Home = z.object({
  /** Sections with videos, in the order of the user. */
  sections: z.array(HomeSection),
  /** The videos of all sections, each once. */
  data: z.array(Video),
  /** The archive has no videos. */
  is_empty: z.boolean(),
  /** The archive has no videos and the first-run questions are unanswered; true for staff only. */
  needs_setup: z.boolean(),
});
export type Home = z.infer<typeof Home>;

export const homeCalls = {
  'GET /api/home/': {
    may: 'user',
    does: "Get the sections of the caller's home page; `since` (epoch seconds, default a week ago) is the last visit, after which subscriptions count as new (Reelkeep)",
    query: z.object({ since: integer({ min: 0, max: Number.MAX_SAFE_INTEGER }).optional() }),
    reply: Home,
  },
} satisfies Contract;
