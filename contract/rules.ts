import { z } from 'zod';
import { section } from './appsettings.ts';
import type { Contract } from './call.ts';
import { settings, type Settings } from './settings.ts';
import { Id } from './values.ts';

// Ours: what of a source is wanted.

type Rules = Settings['rules'];
const Own = section(settings.rules).partial() as unknown as z.ZodType<Partial<Rules>, Partial<Rules>>;

/** A source's own rules (a key that is there goes before the one for all, null included), and what follows of both. */
const SourceRules = z.object({ own: Own, effective: Own });

export const Leaving = z.object({
  youtube_id: z.string(),
  title: z.string(),
  channel_name: z.string(),
  media_size: z.int(),
  reason: z.string(),
});

export const RulesPreview = z.object({
  taken: z.int(),
  left_out: z.int(),
  /** How many of all that is known are in the archive, wait, are ignored, or have only been seen. */
  archived: z.int(),
  waiting: z.int(),
  ignored: z.int(),
  listed: z.int(),
  reasons: z.array(z.object({ rule: z.string(), sentence: z.string(), count: z.int() })),
  examples: z.array(z.object({ youtube_id: z.string(), title: z.string(), state: z.string(), sentence: z.string() })),
  /** What would be deleted: at most 100 of it, and how much that is in all. */
  leaving: z.array(Leaving),
  leaving_total: z.int(),
  leaving_size: z.int(),
});
export type RulesPreview = z.infer<typeof RulesPreview>;

const params = z.object({ id: Id });

export const rulesCalls = {
  'GET /api/channel/:id/rules/': { may: 'staff', does: 'What of a channel is wanted', params, reply: SourceRules },
  'PUT /api/channel/:id/rules/': {
    may: 'staff',
    does: 'Say what of a channel is wanted',
    confirmed: true,
    params,
    body: Own,
    reply: SourceRules,
  },
  'POST /api/channel/:id/rules/preview/': {
    may: 'staff',
    does: 'What such rules would take, leave out and delete',
    params,
    body: Own,
    reply: RulesPreview,
  },
  'GET /api/playlist/:id/rules/': { may: 'staff', does: 'What of a playlist is wanted', params, reply: SourceRules },
  'PUT /api/playlist/:id/rules/': {
    may: 'staff',
    does: 'Say what of a playlist is wanted',
    params,
    body: Own,
    reply: SourceRules,
  },
  'POST /api/playlist/:id/rules/preview/': {
    may: 'staff',
    does: 'What such rules would take and leave out',
    params,
    body: Own,
    reply: RulesPreview,
  },
  'GET /api/video/leaving/': {
    may: 'staff',
    does: 'What the rules would delete now, at most 1000 of it',
    reply: z.object({ data: z.array(Leaving), total: z.int(), media_size: z.int() }),
  },
} satisfies Contract;
