import { distance } from './search/distance.ts';
import { variables, type Variable } from './variables.ts';

// What a start says of the names in the environment.

type Environment = Record<string, string | undefined>;

const ours = Object.keys(variables).flatMap((name) => [name, `${name}_FILE`]);
const own = 'REELKEEP_'.length;

/** The name of ours that is written most like this one; undefined where none is. */
function nearest(name: string): string | undefined {
  const most = Math.max(1, Math.floor((name.length - own) / 3));
  const farFrom = (known: string) => (name.startsWith(`${known}_`) ? 1 : distance(name, known, most));
  const [best] = ours.map((known) => ({ known, far: farFrom(known) })).sort((a, b) => a.far - b.far);
  return best && best.far <= most ? best.known : undefined;
}

/** Says which names begin like ours but are none, and which of ours may be meant. */
export const misspelled = (env: Environment): string[] =>
  Object.keys(env)
    .filter((name) => name.startsWith('REELKEEP_') && !ours.includes(name) && !/^REELKEEP_(TEST|DEV)_/.test(name))
    .map((name) => {
      const meant = nearest(name);
      return `${name} is not a name we know; ${meant ? `is ${meant} meant?` : 'is it spelled right?'}`;
    });

const engine = 'is about a server that is not needed here';
// Names of the original program for what there is no variable for here, and what is instead.
const without: Record<string, string> = {
  TA_HOST: 'is not needed here: every address that leads here is good',
  TA_APP_DIR: 'is not needed here',
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
  HOST_UID: 'counts where this is started as root; else files belong to the account that runs it (in a container: user)',
  HOST_GID: 'counts where this is started as root; else files belong to the account that runs it (in a container: user)',
  DISABLE_STATIC_AUTH: 'does nothing here: films are open to nobody who is not logged in or has a link of their own',
  TA_AUTO_UPDATE_YTDLP: 'does nothing here: Settings, Application says how yt-dlp is kept up to date',
  ENABLE_CAST: 'does nothing here: casting is switched on under Settings, Application',
};

/** A sentence for each name of the original program: what it is called here, or what is instead of it. */
export function ofOriginal(env: Environment): string[] {
  const isSet = (name: string) => Boolean(env[name] || env[`${name}_FILE`]);
  const called = Object.entries(variables).flatMap(([name, { also = [] }]: [string, Variable]) =>
    also
      .filter(isSet)
      .map((other) =>
        isSet(name) ? `${other} does not count, as ${name} is set.` : `${other} counts; here it is called ${name}.`,
      ),
  );
  return [...called, ...Object.entries(without).flatMap(([name, why]) => (isSet(name) ? [`${name} ${why}.`] : []))];
}
