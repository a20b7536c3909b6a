import { editDistance } from '../lib/edit-distance.ts';
import type { Config } from './config.ts';
import { spansManyMachines } from './ip-networks.ts';
import { variables, type Variable } from './env-variables.ts';

// Warnings about the environment at startup.

type Environment = Record<string, string | undefined>;

const knownNames = Object.keys(variables).flatMap((name) => [name, `${name}_FILE`]);
const prefixLength = 'REELKEEP_'.length;

/** Returns the most similar variable name, or undefined. */
function nearest(name: string): string | undefined {
  const maxDistance = Math.max(1, Math.floor((name.length - prefixLength) / 3));
  const distanceTo = (known: string) => (name.startsWith(`${known}_`) ? 1 : editDistance(name, known, maxDistance));
  const [best] = knownNames.map((known) => ({ known, far: distanceTo(known) })).sort((a, b) => a.far - b.far);
  return best && best.far <= maxDistance ? best.known : undefined;
}

/** Returns warnings for unknown REELKEEP_ variables, with the probably intended name. */
export const misspelledVariables = (env: Environment): string[] =>
  Object.keys(env)
    .filter((name) => name.startsWith('REELKEEP_') && !knownNames.includes(name) && !/^REELKEEP_(TEST|DEV)_/.test(name))
    .map((name) => {
      const suggestion = nearest(name);
      return `Unknown variable ${name}. ${suggestion ? `Did you mean ${suggestion}?` : 'Check the spelling.'}`;
    });

const engine = 'has no effect: Reelkeep does not use this server';
// Variables of TubeArchivist without an equivalent, with an explanation.
const unsupported: Record<string, string> = {
  TA_HOST: 'has no effect: Reelkeep accepts every host name',
  TA_APP_DIR: 'has no effect',
  TA_BACKEND_PORT: engine,
  TA_UWSGI_PORT: engine,
  ES_URL: engine,
  ELASTIC_USER: engine,
  ELASTIC_PASSWORD: engine,
  ES_SNAPSHOT_DIR: engine,
  ES_DISABLE_VERIFY_SSL: engine,
  REDIS_CON: engine,
  REDIS_HOST: engine,
  REDIS_PORT: engine,
  REDIS_NAME_SPACE: engine,
  HOST_UID:
    'has an effect only if Reelkeep starts as root; otherwise files belong to the account that runs it (in a container: user)',
  HOST_GID:
    'has an effect only if Reelkeep starts as root; otherwise files belong to the account that runs it (in a container: user)',
  DISABLE_STATIC_AUTH: 'has no effect: media files always require a login or a signed link',
  TA_AUTO_UPDATE_YTDLP: 'has no effect: set yt-dlp updates in Settings → yt-dlp',
  ENABLE_CAST: 'has no effect: turn on casting in Settings → Integrations',
};

/** Returns a message for each TubeArchivist variable: its name here, or why it has no effect. */
export function tubearchivistVariables(env: Environment): string[] {
  const isSet = (name: string) => Boolean(env[name] || env[`${name}_FILE`]);
  const renamed = Object.entries(variables).flatMap(([name, { also = [] }]: [string, Variable]) =>
    also
      .filter(isSet)
      .map((other) =>
        isSet(name) ? `${other} is ignored because ${name} is set.` : `${other} is used; its name in Reelkeep is ${name}.`,
      ),
  );
  return [...renamed, ...Object.entries(unsupported).flatMap(([name, why]) => (isSet(name) ? [`${name} ${why}.`] : []))];
}

/** Returns a warning for each wide range of trusted proxies, because every machine in it can log in as any user. */
export const wideProxyWarnings = ({ trustedProxies, userHeader }: Pick<Config, 'trustedProxies' | 'userHeader'>): string[] =>
  trustedProxies
    .filter((text) => userHeader !== undefined && spansManyMachines(text))
    .map(
      (text) =>
        `REELKEEP_TRUSTED_PROXIES has ${text}: every machine and container in it can log in as any user by sending ${userHeader}. Use the address of the proxy instead.`,
    );
