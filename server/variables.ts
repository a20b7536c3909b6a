import { z } from 'zod';
import { isAllowedList } from './egress/allowed.ts';
import { isNetwork } from './networks.ts';
import { flag, list, signInVariables } from './sign-in-variables.ts';

const networks = list.refine((texts) => texts.every(isNetwork), 'write addresses or ranges such as 10.0.0.0/8');
const port = z.coerce.number('write a number from 0 to 65535').int().min(0).max(65535);
const baseUrl = z
  .url({ protocol: /^https?$/, error: 'write an http or https address' })
  .transform((url) => url.replace(/\/+$/, ''));
/** `on` allows every private address; else hosts and CIDR ranges. */
const allowed = list
  .transform((hosts) =>
    hosts.length === 1 && ['1', 'on', 'yes', 'true', 'all'].includes(hosts[0]!.toLowerCase())
      ? ['*']
      : hosts.filter((host) => !['0', 'off', 'no', 'false'].includes(host.toLowerCase())),
  )
  .refine(isAllowedList, 'write host names, addresses or ranges, such as nas.lan or 192.168.1.0/24');

export interface Variable {
  /** Names of the original program that mean the same. */
  also?: readonly string[];
  type: z.ZodType;
  initial?: string;
  does: string;
  secret?: true;
}

/** Every variable of the environment, in the order of the reference page. */
export const variables = {
  REELKEEP_PORT: { also: ['TA_PORT'], type: port, initial: '8000', does: 'Port to listen on' },
  REELKEEP_HOST: { type: z.string(), initial: '0.0.0.0', does: 'Address to listen on' },
  REELKEEP_DATA: { type: z.string(), initial: 'data', does: 'The data folder; its database must be on a local disk' },
  REELKEEP_MEDIA: {
    also: ['TA_MEDIA_DIR'],
    type: z.string(),
    does: 'The media folder, when it is not `media` in the data folder',
  },
  REELKEEP_CACHE: {
    also: ['TA_CACHE_DIR'],
    type: z.string(),
    does: 'Thumbnails and artwork, when not `cache` in the data folder',
  },
  REELKEEP_USERNAME: {
    also: ['TA_USERNAME'],
    type: z.string().trim().min(1).max(150),
    initial: 'admin',
    does: 'Name of the first staff account',
  },
  REELKEEP_PASSWORD: {
    also: ['TA_PASSWORD'],
    type: z.string().min(1),
    secret: true,
    does: 'Its password; generated and printed once when not given',
  },
  REELKEEP_DATABASE: {
    type: z.string().regex(/^postgres(ql)?:\/\//, 'write postgres://…'),
    secret: true,
    does: 'A PostgreSQL database instead of the file in the data folder',
  },
  REELKEEP_PROXY: { type: baseUrl, secret: true, does: 'HTTP proxy for everything that goes out' },
  REELKEEP_PROXY_INSECURE: { type: flag, initial: 'off', does: 'Do not check certificates behind that proxy' },
  REELKEEP_ALLOW_PRIVATE: {
    type: allowed,
    initial: '',
    does: 'Private hosts or CIDR ranges that downloads may reach; `on` for all',
  },
  REELKEEP_YTDLP: { type: z.string(), does: 'Path of yt-dlp, when it is not to be found' },
  REELKEEP_FFMPEG: { type: z.string(), does: 'Path of ffmpeg, when it is not to be found' },
  REELKEEP_SPONSORBLOCK_URL: { type: baseUrl, initial: 'https://sponsor.ajay.app', does: 'The SponsorBlock service' },
  REELKEEP_DISLIKES_URL: {
    type: baseUrl,
    initial: 'https://returnyoutubedislikeapi.com',
    does: 'The Return YouTube Dislike service',
  },
  REELKEEP_RELEASES_URL: {
    type: baseUrl,
    does: 'Where `/latest` tells the newest release, to show a notice; nothing is asked without it',
  },
  MB_URL: {
    type: baseUrl,
    initial: 'https://members.tubearchivist.com',
    does: 'The membership service, asked only by who enters a token for it',
  },
  REELKEEP_TRUSTED_PROXIES: {
    type: networks,
    initial: '',
    does: 'Addresses or CIDR ranges of reverse proxies whose X-Forwarded headers are believed',
  },
  REELKEEP_BASE_PATH: {
    type: z
      .string()
      .regex(/^(\/[\w.-]+)*\/?$/, 'write a path such as /tube')
      .transform((path) => path.replace(/\/+$/, '')),
    initial: '',
    does: 'Path below which it is served, such as /tube',
  },
  REELKEEP_HSTS: {
    type: flag,
    initial: 'off',
    does: 'Tell browsers that came by https never to come by http again',
  },
  REELKEEP_METRICS_TOKEN: {
    type: z.string().trim().min(16, 'use at least 16 characters'),
    secret: true,
    does: 'Lets whoever sends it as `Authorization: Bearer …` read `/metrics`, beside staff',
  },
  ...signInVariables,
  REELKEEP_LOG: {
    also: ['LOG_LEVEL'],
    type: z.enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'write fatal, error, warn, info, debug, trace or silent',
    ),
    initial: 'info',
    does: 'How much is logged',
  },
  DISABLE_CORS: { type: flag, initial: 'off', does: 'Let pages of every origin call the API' },
} as const satisfies Record<string, Variable>;
