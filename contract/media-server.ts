import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { flag, Id, integer, text } from './field-types.ts';
import { MessageJson } from './message-json.ts';
import { TaskReply } from './task.ts';

// Jellyfin, Emby, Plex and Kodi, which read library views. Not in TubeArchivist.

export const MediaServerKind = z.enum(['jellyfin', 'emby', 'plex', 'kodi']);
export type MediaServerKind = z.infer<typeof MediaServerKind>;

// It is sent in a header.
const Token = text(1000).regex(/^[!#-~]+$/, 'A token has only letters, digits and punctuation.');

/** A folder here, usually of a library view, and the same folder as the server sees it. */
const Mapping = z.object({ from: text(1000), to: text(1000) });

const Person = z.object({
  /** Id of the account here. */
  account: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  /** Id and name of the user of the server. */
  user: text(200),
  user_name: text(200),
  /** Plex: the token of this person, because it decides whose watch state is read. Absent: unchanged. Null: that of the server. */
  token: Token.nullish(),
});

const fields = {
  name: text(100),
  /** `http://192.168.1.10:8096`, with the base path of the server. */
  address: text(2000),
  /** API key, token, or for Kodi `user:password`. Never returned. Required again with another address. */
  token: text(1000).regex(/^\P{Cc}+$/u, 'Not a valid string.'),
  mappings: z.array(Mapping).min(1).max(20),
  /** Kodi: at most one. */
  persons: z.array(Person).max(100),
  /** Playlists to push, by id. Kodi: none. */
  playlists: z.array(Id).max(200),
};

export const MediaServer = z.object({
  id: z.int(),
  kind: MediaServerKind,
  name: z.string(),
  address: z.string(),
  has_token: z.boolean(),
  mappings: z.array(Mapping),
  persons: z.array(
    z.object({
      account: z.int(),
      account_name: z.string(),
      user: z.string(),
      user_name: z.string(),
      has_token: z.boolean(),
      problem: z.string().nullable(),
      problem_messages: z.array(MessageJson).nullable(),
    }),
  ),
  playlists: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      problem: z.string().nullable(),
      problem_messages: z.array(MessageJson).nullable(),
    }),
  ),
  /** `new`: no request has succeeded yet. `retrying`: the last request failed, see `retry_at`. `stopped`: given up until it is tested or changed. `rejected`: the token is invalid. */
  state: z.enum(['new', 'ready', 'retrying', 'stopped', 'rejected']),
  problem: z.string().nullable(),
  problem_messages: z.array(MessageJson).nullable(),
  /** Times in epoch seconds. */
  failed: z.int().nullable(),
  retry_at: z.int().nullable(),
  refreshed: z.int().nullable(),
  synced: z.int().nullable(),
  /** Folders that wait for a refresh. */
  pending: z.int(),
  is_syncing: z.boolean(),
});
export type MediaServer = z.infer<typeof MediaServer>;

export const MediaServerTest = z.object({
  success: z.boolean(),
  problem: z.string().nullable(),
  problem_messages: z.array(MessageJson).nullable(),
  server_name: z.string().nullable(),
  version: z.string().nullable(),
  /** `matches`: a folder of the library is in a mapping, or contains one. */
  libraries: z.array(z.object({ name: z.string(), folders: z.array(z.string()), matches: z.boolean() })),
  users: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type MediaServerTest = z.infer<typeof MediaServerTest>;

/** What a synchronization changed or, in a dry run, would change. */
export const MediaServerReport = z.object({
  dry_run: z.boolean(),
  started: z.int(),
  ended: z.int(),
  /** Items of the server, and those that are videos here. */
  items: z.int(),
  matched: z.int(),
  /** Changes here, on the server, and of playlists. */
  here: z.int(),
  there: z.int(),
  playlists: z.int(),
  /** Number of problems, including those that are not listed. */
  problems: z.int(),
  /** The first 500. */
  lines: z.array(
    z.object({
      kind: z.enum(['here', 'there', 'playlist', 'problem']),
      /** Name of the account; null for playlists. */
      person: z.string().nullable(),
      title: z.string(),
      text: z.string(),
      text_messages: z.array(MessageJson),
    }),
  ),
});
export type MediaServerReport = z.infer<typeof MediaServerReport>;

const ServerId = z.object({ id: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) });

export const mediaServerCalls = {
  'GET /api/media-server/': {
    may: 'staff',
    does: 'List the media servers by name (Reelkeep)',
    reply: z.object({ data: z.array(MediaServer) }),
  },
  'POST /api/media-server/': {
    may: 'staff',
    does: 'Add a media server. Reelkeep may then connect to its address, also in the local network (Reelkeep)',
    body: z.object({
      kind: MediaServerKind,
      ...fields,
      persons: fields.persons.default([]),
      playlists: fields.playlists.default([]),
    }),
    reply: MediaServer,
  },
  'POST /api/media-server/:id/': {
    may: 'staff',
    does: 'Update a media server; lists replace the present ones, the kind cannot be changed (Reelkeep)',
    params: ServerId,
    body: z.object(fields).partial(),
    reply: MediaServer,
  },
  'DELETE /api/media-server/:id/': {
    may: 'staff',
    does: 'Remove a media server here; nothing is changed on the server (Reelkeep)',
    params: ServerId,
  },
  'POST /api/media-server/:id/test/': {
    may: 'staff',
    does: 'Test the connection, the token and the mappings of a media server (Reelkeep)',
    params: ServerId,
    reply: MediaServerTest,
  },
  'GET /api/media-server/:id/user/': {
    may: 'staff',
    does: 'List the users of a media server (Reelkeep)',
    params: ServerId,
    reply: z.object({ data: MediaServerTest.shape.users }),
  },
  'GET /api/media-server/:id/sync/': {
    may: 'staff',
    does: 'Get the report of the last synchronization of a media server that was started here or changed something (Reelkeep)',
    params: ServerId,
    reply: z.object({ report: MediaServerReport.nullable() }),
  },
  'POST /api/media-server/:id/sync/': {
    may: 'staff',
    does: 'Synchronize watch states, positions and playlists with a media server. `dry_run` only reports (Reelkeep)',
    params: ServerId,
    body: z.object({ dry_run: flag().default(false) }).optional(),
    reply: TaskReply,
  },
} satisfies Contract;
