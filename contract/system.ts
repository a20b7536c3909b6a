import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { MessageJson } from './message-json.ts';

export const CommunitySite = z.object({ name: z.string().min(1).max(40), url: z.url({ protocol: /^https?$/ }) });

export const Ping = z.object({
  response: z.literal('pong'),
  user: z.int(),
  /** Compatible TubeArchivist version. Clients parse it: `v` and digits only. */
  version: z.string(),
  /** Not in TubeArchivist: version of Reelkeep. */
  reelkeep_version: z.string(),
  ta_update: z
    .object({
      status: z.boolean(),
      version: z.string(),
      is_breaking: z.boolean(),
      /** Not in TubeArchivist: page with the release notes. */
      notes_url: z.url({ protocol: /^https?$/ }).optional(),
    })
    .nullable(),
  /** Not in TubeArchivist: sites of the community, as the source of releases names them. */
  community: z.array(CommunitySite),
});

/** A server that shares the database. */
export const NodeState = z.object({
  name: z.string(),
  /** The server that answers this request. */
  is_this: z.boolean(),
  /** `web` answers requests, `worker` downloads and runs tasks, `all` does both. */
  role: z.enum(['all', 'web', 'worker']),
  /** Name of the network address from which it reaches sites; empty: the usual one. */
  egress: z.string(),
  version: z.string(),
  /** Version of yt-dlp that it uses; null: none. */
  ytdlp: z.string().nullable(),
  /** Runs schedules, feeds and clean-up for all nodes. */
  is_leader: z.boolean(),
  /** Seen within the last 30 s. Other nodes continue the work of dead nodes. */
  is_alive: z.boolean(),
  /** Claims no new runs and downloads, and is not ready (`/readyz/`). Ends when it is switched off, or the server starts again. */
  is_draining: z.boolean(),
  /** The runs that it works on, at most 100 of all servers. */
  runs: z.array(z.object({ id: z.string(), name: z.string(), title: z.string() })),
  /** Number of its downloads. */
  downloads: z.int(),
  /** Problems of its machine, in English and as ids with parameters. */
  problems: z.array(z.string()),
  problem_messages: z.array(MessageJson),
  /** Epoch seconds. */
  started_at: z.int(),
  seen_at: z.int(),
});
export type NodeState = z.infer<typeof NodeState>;

const NodeName = z.object({ name: z.string().min(1).max(64) });

export const serviceCalls = {
  'GET /api/health/': { may: 'anyone', does: 'Check that the archive is usable', reply: z.literal('OK') },
  'GET /livez/': {
    may: 'anyone',
    does: 'Check that the process responds, without access to database or disk (Reelkeep)',
    reply: z.literal('OK'),
  },
  'GET /readyz/': {
    may: 'anyone',
    does: 'Check that a load balancer may send requests: the database is reachable, the server has started and does not drain (Reelkeep)',
    reply: z.literal('OK'),
  },
  'GET /api/ping/': {
    may: 'user',
    does: 'Check the login; returns the API version (`version`), the Reelkeep version and a newer release (`ta_update`)',
    reply: Ping,
  },
  'GET /api/node/': {
    may: 'staff',
    does: 'List the servers that share the database; empty for a single server (Reelkeep)',
    reply: z.array(NodeState),
  },
  'POST /api/node/:name/': {
    may: 'staff',
    does: 'Drain a server, or stop draining it (Reelkeep)',
    params: NodeName,
    body: z.object({ is_draining: z.boolean() }),
    conflict: 'The server is not running',
  },
  'DELETE /api/node/:name/': {
    may: 'staff',
    does: 'Remove a server that has ended from the list (Reelkeep)',
    params: NodeName,
    conflict: 'The server is running',
  },
} satisfies Contract;
