import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { ConfigProblem } from './config-problem.ts';
import { foldName } from './fold-text.ts';
import { isWide } from './networks.ts';
import { variables, type Variable } from './variables.ts';

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

interface Said {
  text: string;
  /** The name that it stands under in the environment. */
  under: string;
}

function saidUnder(env: Environment, name: string): Said | undefined {
  const file = env[`${name}_FILE`];
  const text = env[name];
  if (!file) return text === undefined ? undefined : { text, under: name };
  try {
    return { text: readFileSync(file, 'utf8').trim(), under: `${name}_FILE` };
  } catch {
    throw new ConfigProblem(`${name}_FILE names ${file}, which cannot be read.`);
  }
}

/** What the environment says of a variable, under its own name or one of the original program's; undefined: nothing. */
function said(env: Environment, name: keyof typeof variables): Said | undefined {
  const { also = [], initial }: Variable = variables[name];
  for (const known of [name, ...also]) {
    const found = saidUnder(env, known);
    if (found && (found.text !== '' || initial === '')) return found;
  }
  return undefined;
}

function read<N extends keyof typeof variables>(env: Environment, name: N): z.output<(typeof variables)[N]['type']> | undefined {
  const { type, initial }: Variable = variables[name];
  const found = said(env, name);
  if (!found && initial === undefined) return undefined;
  const parsed = type.safeParse(found ? found.text : initial);
  if (!parsed.success)
    throw new ConfigProblem(`${found?.under.replace(/_FILE$/, '')} is not understood: ${parsed.error.issues[0]?.message}.`);
  return parsed.data as z.output<(typeof variables)[N]['type']>;
}

/** One variable as it counts now. */
interface Effective {
  name: string;
  /** As it is written; undefined where nothing is said and nothing stands for it. Of a secret only that it is there. */
  text: string | undefined;
  /** The name under which the environment says it; undefined where it is as it is initially. */
  under: string | undefined;
}

/** Every variable with what counts and who says so, without secrets. Throws ConfigProblem where a file cannot be read. */
export const effective = (env: Environment): Effective[] =>
  (Object.keys(variables) as (keyof typeof variables)[]).map((name) => {
    const { initial, secret }: Variable = variables[name];
    const found = said(env, name);
    return { name, text: found && secret ? '(a secret)' : (found?.text ?? initial), under: found?.under };
  });

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
