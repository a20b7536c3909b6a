import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { ConfigProblem } from './config-problem.ts';
import { isAllowedList } from './egress/allowed.ts';
import { foldName } from './fold-text.ts';
import { flag, list, signInVariables } from './sign-in-variables.ts';
import { isNetwork, isWide } from './networks.ts';

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

interface Variable {
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

/** An LDAP server, and how people are found there. */
export interface LdapConfig {
  url: string;
  bindDn: string;
  bindPassword: string;
  base: string;
  filter: string;
  nameAttribute: string;
  /** Names that are staff, folded. */
  staff: string[];
  insecure: boolean;
}

/** An OpenID provider. */
export interface OidcConfig {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  name: string;
  scopes: string;
  groupsClaim: string;
  staffGroup: string | undefined;
}

export interface Config {
  port: number;
  host: string;
  dataFolder: string;
  mediaFolder: string;
  cacheFolder: string;
  username: string;
  password: string | undefined;
  databaseUrl: string | undefined;
  proxyUrl: string | undefined;
  proxyInsecure: boolean;
  /** Hosts and CIDR ranges; `['*']` is all. */
  allowPrivate: string[];
  ytdlpPath: string | undefined;
  ffmpegPath: string | undefined;
  sponsorblockUrl: string;
  dislikesUrl: string;
  releasesUrl: string | undefined;
  membershipUrl: string;
  trustedProxies: string[];
  /** Empty, or `/tube` without a slash at the end. */
  basePath: string;
  hsts: boolean;
  metricsToken: string | undefined;
  /** Whether passwords of our own are good here. */
  hasPasswords: boolean;
  /** The header in which a trusted proxy says who it is, in lower case; undefined: none may. */
  userHeader: string | undefined;
  proxyLogoutUrl: string | undefined;
  ldap: LdapConfig | undefined;
  oidc: OidcConfig | undefined;
  logLevel: string;
  anyOrigin: boolean;
}

type Environment = Record<string, string | undefined>;

function textOf(env: Environment, name: string): string | undefined {
  const file = env[`${name}_FILE`];
  if (file) {
    try {
      return readFileSync(file, 'utf8').trim();
    } catch {
      throw new ConfigProblem(`${name}_FILE names ${file}, which cannot be read.`);
    }
  }
  return env[name];
}

function read<N extends keyof typeof variables>(env: Environment, name: N): z.output<(typeof variables)[N]['type']> | undefined {
  const variable: Variable = variables[name];
  for (const known of [name, ...(variable.also ?? [])]) {
    const text = textOf(env, known);
    if (text === undefined || (text === '' && variable.initial !== '')) continue;
    const parsed = variable.type.safeParse(text);
    if (!parsed.success) throw new ConfigProblem(`${known} is not understood: ${parsed.error.issues[0]?.message}.`);
    return parsed.data as z.output<(typeof variables)[N]['type']>;
  }
  if (variable.initial === undefined) return undefined;
  return variable.type.parse(variable.initial) as z.output<(typeof variables)[N]['type']>;
}

/** Who may log in, and how. Refuses what would leave the door open, or shut for everybody. */
function signInOf(env: Environment) {
  const mode = read(env, 'REELKEEP_LOGIN')!;
  const url = read(env, 'REELKEEP_LDAP_URL');
  const wantsLdap = mode === 'ldap' || mode === 'ldap_local' || (mode === 'single' && url !== undefined);
  if (wantsLdap && !url)
    throw new ConfigProblem(`REELKEEP_LOGIN is ${mode}, and REELKEEP_LDAP_URL does not say where the server is.`);
  const wantsHeader = mode === 'forwardauth' || (mode === 'single' && read(env, 'REELKEEP_FORWARD_AUTH')!);
  const proxies = read(env, 'REELKEEP_TRUSTED_PROXIES')!;
  const wide = proxies.find(isWide);
  if (wantsHeader && (proxies.length === 0 || wide))
    throw new ConfigProblem(
      `A proxy is to say who is logged in: REELKEEP_TRUSTED_PROXIES must name its address${wide ? `, and not so much as ${wide}` : ''}, or anyone could be anybody.`,
    );
  const issuer = read(env, 'REELKEEP_OIDC_ISSUER');
  const staff = [...read(env, 'REELKEEP_LDAP_STAFF')!, ...read(env, 'REELKEEP_LDAP_SUPERUSERS')!];
  return {
    hasPasswords: mode === 'local' || mode === 'ldap_local' || (mode === 'single' && !wantsLdap && !wantsHeader),
    userHeader: wantsHeader ? read(env, 'REELKEEP_FORWARD_AUTH_HEADER')! : undefined,
    proxyLogoutUrl: read(env, 'REELKEEP_FORWARD_AUTH_LOGOUT'),
    ldap:
      wantsLdap && url
        ? {
            url,
            bindDn: read(env, 'REELKEEP_LDAP_BIND_DN')!,
            bindPassword: read(env, 'REELKEEP_LDAP_BIND_PASSWORD')!,
            base: read(env, 'REELKEEP_LDAP_BASE')!,
            filter: read(env, 'REELKEEP_LDAP_FILTER')!,
            nameAttribute: read(env, 'REELKEEP_LDAP_NAME')!,
            staff: staff.map((name) => foldName(name)),
            insecure: read(env, 'REELKEEP_LDAP_INSECURE')!,
          }
        : undefined,
    oidc: issuer
      ? {
          issuer,
          clientId: read(env, 'REELKEEP_OIDC_CLIENT_ID')!,
          clientSecret: read(env, 'REELKEEP_OIDC_CLIENT_SECRET'),
          name: read(env, 'REELKEEP_OIDC_NAME')!,
          scopes: read(env, 'REELKEEP_OIDC_SCOPES')!,
          groupsClaim: read(env, 'REELKEEP_OIDC_GROUPS_CLAIM')!,
          staffGroup: read(env, 'REELKEEP_OIDC_STAFF_GROUP'),
        }
      : undefined,
  };
}

/** Reads the environment, once. Throws ConfigProblem with a sentence that names the variable. */
export function readConfig(env: Environment): Config {
  const dataFolder = resolve(read(env, 'REELKEEP_DATA')!);
  return {
    port: read(env, 'REELKEEP_PORT')!,
    host: read(env, 'REELKEEP_HOST')!,
    dataFolder,
    mediaFolder: resolve(read(env, 'REELKEEP_MEDIA') ?? `${dataFolder}/media`),
    cacheFolder: resolve(read(env, 'REELKEEP_CACHE') ?? `${dataFolder}/cache`),
    username: read(env, 'REELKEEP_USERNAME')!,
    password: read(env, 'REELKEEP_PASSWORD'),
    databaseUrl: read(env, 'REELKEEP_DATABASE'),
    proxyUrl: read(env, 'REELKEEP_PROXY'),
    proxyInsecure: read(env, 'REELKEEP_PROXY_INSECURE')!,
    allowPrivate: read(env, 'REELKEEP_ALLOW_PRIVATE')!,
    ytdlpPath: read(env, 'REELKEEP_YTDLP'),
    ffmpegPath: read(env, 'REELKEEP_FFMPEG'),
    sponsorblockUrl: read(env, 'REELKEEP_SPONSORBLOCK_URL')!,
    dislikesUrl: read(env, 'REELKEEP_DISLIKES_URL')!,
    releasesUrl: read(env, 'REELKEEP_RELEASES_URL'),
    membershipUrl: read(env, 'MB_URL')!,
    trustedProxies: read(env, 'REELKEEP_TRUSTED_PROXIES')!,
    basePath: read(env, 'REELKEEP_BASE_PATH')!,
    hsts: read(env, 'REELKEEP_HSTS')!,
    metricsToken: read(env, 'REELKEEP_METRICS_TOKEN'),
    ...signInOf(env),
    logLevel: read(env, 'REELKEEP_LOG')!,
    anyOrigin: read(env, 'DISABLE_CORS')!,
  };
}

/** Says which names begin like ours but are none: spelled wrong, most likely. */
export function misspelled(env: Environment): string[] {
  const known = new Set(Object.keys(variables).flatMap((name) => [name, `${name}_FILE`]));
  return Object.keys(env)
    .filter((name) => name.startsWith('REELKEEP_') && !known.has(name) && !/^REELKEEP_(TEST|DEV)_/.test(name))
    .map((name) => `${name} is not a name we know; is it spelled right?`);
}
