import { z } from 'zod';
import { section } from './appsettings.ts';
import type { Contract } from './endpoint.ts';
import { MessageJson } from './message-json.ts';
import { settings, type Settings } from './settings.ts';
import { flag, Id, integer } from './field-types.ts';

// Download and cleanup rules of channels and playlists. Not in TubeArchivist.

type Rules = Settings['rules'];
const Own = section(settings.rules).partial() as unknown as z.ZodType<Partial<Rules>, Partial<Rules>>;

/** Custom rules of a channel or playlist, and the effective rules. Present keys override the application settings, null included. */
const SourceRules = z.object({ own: Own, effective: Own });

export const ExpiringVideo = z.object({
  youtube_id: z.string(),
  title: z.string(),
  channel_name: z.string(),
  media_size: z.int(),
  reason: z.string(),
  /** `reason` as ids with parameters. */
  reason_messages: z.array(MessageJson),
});

export const RulesPreview = z.object({
  taken: z.int(),
  left_out: z.int(),
  /** Known entries by state: archived, queued, ignored, or only seen. */
  archived: z.int(),
  waiting: z.int(),
  ignored: z.int(),
  listed: z.int(),
  reasons: z.array(z.object({ rule: z.string(), sentence: z.string(), count: z.int() })),
  examples: z.array(z.object({ youtube_id: z.string(), title: z.string(), state: z.string(), sentence: z.string() })),
  /** Videos that would be deleted: at most 100 entries, with the total number and size in bytes. */
  expiring: z.array(ExpiringVideo),
  expiring_total: z.int(),
  expiring_size: z.int(),
});
export type RulesPreview = z.infer<typeof RulesPreview>;

const ExpiringVideos = z.object({ data: z.array(ExpiringVideo), total: z.int(), media_size: z.int() });

const { autodelete_days: days, autodelete_min_size: size } = settings.downloads;
/** The rule that deletes watched videos. */
export const WatchedRule = z.object({
  autodelete_days: integer({ min: days.min, max: days.max }),
  autodelete_min_size: integer({ min: 0, max: size.max }),
  autodelete_available_only: flag(),
});
export type WatchedRule = z.infer<typeof WatchedRule>;

const params = z.object({ id: Id });

export const rulesCalls = {
  'GET /api/channel/:id/rules/': { may: 'staff', does: 'Get the rules of a channel (Reelkeep)', params, reply: SourceRules },
  'PUT /api/channel/:id/rules/': {
    may: 'staff',
    does: 'Set the rules of a channel (Reelkeep)',
    confirmed: true,
    params,
    body: Own,
    reply: SourceRules,
  },
  'POST /api/channel/:id/rules/preview/': {
    may: 'staff',
    does: 'Preview which videos of a channel the rules would download, skip and delete (Reelkeep)',
    params,
    body: Own,
    reply: RulesPreview,
  },
  'GET /api/playlist/:id/rules/': { may: 'staff', does: 'Get the rules of a playlist (Reelkeep)', params, reply: SourceRules },
  'PUT /api/playlist/:id/rules/': {
    may: 'staff',
    does: 'Set the rules of a playlist (Reelkeep)',
    params,
    body: Own,
    reply: SourceRules,
  },
  'POST /api/playlist/:id/rules/preview/': {
    may: 'staff',
    does: 'Preview which videos of a playlist the rules would download and skip (Reelkeep)',
    params,
    body: Own,
    reply: RulesPreview,
  },
  'GET /api/video/expiring/': {
    may: 'staff',
    does: 'List the videos that the rules would delete now, at most 1000 (Reelkeep)',
    reply: ExpiringVideos,
  },
  'POST /api/video/expiring/preview/': {
    may: 'staff',
    does: 'List the watched videos that a rule would delete now in the archive or in one channel, at most 100 (Reelkeep)',
    body: WatchedRule.extend({ channel: Id.optional() }),
    reply: ExpiringVideos,
  },
} satisfies Contract;
