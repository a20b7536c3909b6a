import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { isWideNetwork } from './ip-networks.ts';
import { variables, type Variable } from './env-variables.ts';

/** LDAP server and search settings. */
export interface LdapConfig {
  url: string;
  bindDn: string;
  bindPassword: string;
  base: string;
  filter: string;
  nameAttribute: string;
  /** Names of staff users, in Unicode NFC. */
  staff: string[];
  insecure: boolean;
}

/** OpenID provider. */
export interface OidcConfig {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  name: string;
  scopes: string;
  groupsClaim: string;
  staffGroup: string | undefined;
}

/** Bucket of an S3-compatible store. */
export interface S3Config {
  bucket: string;
  /** undefined: Amazon */
  endpoint: string | undefined;
  region: string;
  accessKey: string;
  secretKey: string;
  pathStyle: boolean;
  redirect: boolean;
}

export interface Config {
  port: number;
  host: string;
  dataFolder: string;
  mediaFolder: string;
  cacheFolder: string;
  /** Where media and images are, if not in the folders. */
  s3: S3Config | undefined;
  /** Folder that library views must be in. */
  viewsFolder: string;
  /** Folder of speech models, and whether the operator chose it. */
  modelsFolder: string;
  isModelsFolderSet: boolean;
  /** Python that has the packages of the speech engine. */
  modelsPython: string | undefined;
  modelsHub: string;
  username: string;
  password: string | undefined;
  databaseUrl: string | undefined;
  /** What this server does, and its name if several share a database. */
  role: 'all' | 'web' | 'worker';
  node: string | undefined;
  /** Network address from which it reaches sites. Servers of one name share the limits of the sites. */
  egress: string;
  /** Keys for encryption and signatures, the current one first; undefined: those of the data folder. */
  keys: Buffer[] | undefined;
  proxyUrl: string | undefined;
  proxyInsecure: boolean;
  /** Hosts and CIDR ranges; `['*']` allows all. */
  allowPrivate: string[];
  /** More folders with data of other programs. */
  importFolders: string[];
  ytdlpPath: string | undefined;
  ffmpegPath: string | undefined;
  /** Hardware that encodes video; `auto`: the first that works. */
  hwaccel: 'auto' | 'vaapi' | 'qsv' | 'nvenc' | 'off';
  /** undefined: the first render node */
  renderDevice: string | undefined;
  sponsorblockUrl: string;
  dislikesUrl: string;
  releasesUrl: string | undefined;
  membershipUrl: string;
  trustedProxies: string[];
  /** The header by which the proxy is told to send a file. */
  sendfile: 'off' | 'nginx' | 'apache';
  /** Empty, or a path such as `/tube` without a trailing slash. */
  basePath: string;
  hsts: boolean;
  metricsToken: string | undefined;
  /** Whether users can log in with local passwords. */
  hasPasswords: boolean;
  /** Header in which a trusted proxy sends the user name, in lower case; undefined disables it. */
  userHeader: string | undefined;
  proxyLogoutUrl: string | undefined;
  ldap: LdapConfig | undefined;
  oidc: OidcConfig | undefined;
  logLevel: string;
  /** Origins whose pages may call the API with cookies; `*`: pages of any origin may call it without cookies. */
  corsOrigins: string[];
}

type Environment = Record<string, string | undefined>;

interface RawValue {
  text: string;
  /** Name of the variable in the environment. */
  under: string;
}

function rawValueOf(env: Environment, name: string): RawValue | undefined {
  const file = env[`${name}_FILE`];
  const text = env[name];
  if (!file) return text === undefined ? undefined : { text, under: name };
  try {
    return { text: readFileSync(file, 'utf8').trim(), under: `${name}_FILE` };
  } catch {
    throw new ConfigError(`${name}_FILE names ${file}, which cannot be read.`);
  }
}

/** Reads a variable by its name or a TubeArchivist name; undefined if it is not set. */
function rawValue(env: Environment, name: keyof typeof variables): RawValue | undefined {
  const { also = [], initial }: Variable = variables[name];
  for (const known of [name, ...also]) {
    const found = rawValueOf(env, known);
    if (found && (found.text !== '' || initial === '')) return found;
  }
  return undefined;
}

function read<N extends keyof typeof variables>(env: Environment, name: N): z.output<(typeof variables)[N]['type']> | undefined {
  const { type, initial }: Variable = variables[name];
  const found = rawValue(env, name);
  if (!found && initial === undefined) return undefined;
  const parsed = type.safeParse(found ? found.text : initial);
  if (!parsed.success)
    throw new ConfigError(`${found?.under.replace(/_FILE$/, '')} is not understood: ${parsed.error.issues[0]?.message}.`);
  return parsed.data as z.output<(typeof variables)[N]['type']>;
}

/** Effective value of a variable. */
interface Effective {
  name: string;
  /** Value as text; undefined if there is none. Secrets are masked. */
  text: string | undefined;
  /** Name of the variable in the environment; undefined for the default. */
  under: string | undefined;
}

/**
 * Returns all variables with their effective values and origin, without secrets.
 * @throws ConfigError if a file cannot be read
 */
export const effectiveConfig = (env: Environment): Effective[] =>
  (Object.keys(variables) as (keyof typeof variables)[]).map((name) => {
    const { initial, secret }: Variable = variables[name];
    const found = rawValue(env, name);
    return { name, text: found && secret ? '(a secret)' : (found?.text ?? initial), under: found?.under };
  });

/** Reads the login settings. Rejects combinations that would allow everyone or no one to log in. */
function signInOf(env: Environment) {
  const mode = read(env, 'REELKEEP_LOGIN')!;
  const url = read(env, 'REELKEEP_LDAP_URL');
  const usesLdap = mode === 'ldap' || mode === 'ldap_local' || (mode === 'single' && url !== undefined);
  if (usesLdap && !url)
    throw new ConfigError(`REELKEEP_LOGIN is ${mode}, and REELKEEP_LDAP_URL does not say where the server is.`);
  const usesHeader = mode === 'forwardauth' || (mode === 'single' && read(env, 'REELKEEP_FORWARD_AUTH')!);
  const proxies = read(env, 'REELKEEP_TRUSTED_PROXIES')!;
  const wide = proxies.find(isWideNetwork);
  if (usesHeader && (proxies.length === 0 || wide))
    throw new ConfigError(
      `A proxy is to say who is logged in: REELKEEP_TRUSTED_PROXIES must name its address${wide ? `, and not so much as ${wide}` : ''}, or anyone could be anybody.`,
    );
  const issuer = read(env, 'REELKEEP_OIDC_ISSUER');
  const staff = [...read(env, 'REELKEEP_LDAP_STAFF')!, ...read(env, 'REELKEEP_LDAP_SUPERUSERS')!];
  return {
    hasPasswords: mode === 'local' || mode === 'ldap_local' || (mode === 'single' && !usesLdap && !usesHeader),
    userHeader: usesHeader ? read(env, 'REELKEEP_FORWARD_AUTH_HEADER')! : undefined,
    proxyLogoutUrl: read(env, 'REELKEEP_FORWARD_AUTH_LOGOUT'),
    ldap:
      usesLdap && url
        ? {
            url,
            bindDn: read(env, 'REELKEEP_LDAP_BIND_DN')!,
            bindPassword: read(env, 'REELKEEP_LDAP_BIND_PASSWORD')!,
            base: read(env, 'REELKEEP_LDAP_BASE')!,
            filter: read(env, 'REELKEEP_LDAP_FILTER')!,
            nameAttribute: read(env, 'REELKEEP_LDAP_NAME')!,
            staff: staff.map((name) => name.trim().normalize('NFC')),
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

/** Reads what this server is among others. Several servers need PostgreSQL. */
function nodeOf(env: Environment) {
  const role = read(env, 'REELKEEP_ROLE')!;
  const node = read(env, 'REELKEEP_NODE') ?? (role === 'all' ? undefined : hostname().slice(0, 64));
  const egress = read(env, 'REELKEEP_EGRESS') ?? '';
  if (egress && node === undefined)
    throw new ConfigError('REELKEEP_EGRESS is for one of several servers: give it a name too (REELKEEP_NODE), or remove it.');
  if (node !== undefined && !read(env, 'REELKEEP_DATABASE'))
    throw new ConfigError(
      'REELKEEP_ROLE and REELKEEP_NODE are for several servers, which share a PostgreSQL database: set REELKEEP_DATABASE, or remove them.',
    );
  return { role, node, egress };
}

/** Reads which reverse proxies there are, and whether they send files. */
function proxyOf(env: Environment) {
  const trustedProxies = read(env, 'REELKEEP_TRUSTED_PROXIES')!;
  const sendfile = read(env, 'REELKEEP_SENDFILE')!;
  if (sendfile !== 'off' && trustedProxies.length === 0)
    throw new ConfigError(
      'REELKEEP_SENDFILE lets a reverse proxy send files: name its address in REELKEEP_TRUSTED_PROXIES, or remove it.',
    );
  return { trustedProxies, sendfile };
}

/** Reads where the bucket is, if there is one. */
function s3Of(env: Environment): S3Config | undefined {
  const bucket = read(env, 'REELKEEP_S3_BUCKET');
  const endpoint = read(env, 'REELKEEP_S3_ENDPOINT');
  const accessKey = read(env, 'REELKEEP_S3_ACCESS_KEY');
  const secretKey = read(env, 'REELKEEP_S3_SECRET_KEY');
  if (!bucket) {
    if (endpoint || accessKey || secretKey)
      throw new ConfigError(
        'REELKEEP_S3_BUCKET is missing: name the bucket for media, or remove the other REELKEEP_S3 variables.',
      );
    return undefined;
  }
  if (!accessKey || !secretKey)
    throw new ConfigError(
      'REELKEEP_S3_BUCKET is set, so media are stored in a bucket: set REELKEEP_S3_ACCESS_KEY and REELKEEP_S3_SECRET_KEY too.',
    );
  return {
    bucket,
    endpoint,
    region: read(env, 'REELKEEP_S3_REGION')!,
    accessKey,
    secretKey,
    pathStyle: read(env, 'REELKEEP_S3_PATH_STYLE')!,
    redirect: read(env, 'REELKEEP_S3_REDIRECT')!,
  };
}

/**
 * Reads and validates the environment.
 * @throws ConfigError that names the variable
 */
export function readConfig(env: Environment): Config {
  const dataFolder = resolve(read(env, 'REELKEEP_DATA')!);
  return {
    port: read(env, 'REELKEEP_PORT')!,
    host: read(env, 'REELKEEP_HOST')!,
    dataFolder,
    mediaFolder: resolve(read(env, 'REELKEEP_MEDIA') ?? `${dataFolder}/media`),
    cacheFolder: resolve(read(env, 'REELKEEP_CACHE') ?? `${dataFolder}/cache`),
    viewsFolder: resolve(read(env, 'REELKEEP_VIEWS') ?? `${dataFolder}/views`),
    modelsFolder: resolve(read(env, 'REELKEEP_MODELS') ?? `${dataFolder}/models`),
    isModelsFolderSet: read(env, 'REELKEEP_MODELS') !== undefined,
    modelsPython: read(env, 'REELKEEP_MODELS_PYTHON'),
    modelsHub: read(env, 'REELKEEP_MODELS_HUB')!,
    s3: s3Of(env),
    username: read(env, 'REELKEEP_USERNAME')!,
    password: read(env, 'REELKEEP_PASSWORD'),
    databaseUrl: read(env, 'REELKEEP_DATABASE'),
    keys: read(env, 'REELKEEP_KEY'),
    ...nodeOf(env),
    proxyUrl: read(env, 'REELKEEP_PROXY'),
    proxyInsecure: read(env, 'REELKEEP_PROXY_INSECURE')!,
    allowPrivate: read(env, 'REELKEEP_ALLOW_PRIVATE')!,
    importFolders: read(env, 'REELKEEP_IMPORT_FOLDERS')!,
    ytdlpPath: read(env, 'REELKEEP_YTDLP'),
    ffmpegPath: read(env, 'REELKEEP_FFMPEG'),
    hwaccel: read(env, 'REELKEEP_HWACCEL')!,
    renderDevice: read(env, 'REELKEEP_RENDER_DEVICE'),
    sponsorblockUrl: read(env, 'REELKEEP_SPONSORBLOCK_URL')!,
    dislikesUrl: read(env, 'REELKEEP_DISLIKES_URL')!,
    releasesUrl: read(env, 'REELKEEP_RELEASES_URL'),
    membershipUrl: read(env, 'MB_URL')!,
    ...proxyOf(env),
    basePath: read(env, 'REELKEEP_BASE_PATH')!,
    hsts: read(env, 'REELKEEP_HSTS')!,
    metricsToken: read(env, 'REELKEEP_METRICS_TOKEN'),
    ...signInOf(env),
    logLevel: read(env, 'REELKEEP_LOG')!,
    corsOrigins: read(env, 'DISABLE_CORS')!,
  };
}
