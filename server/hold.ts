import { ConfigProblem } from './config-problem.ts';
import type { Config } from './config.ts';
import { holdFolder, InUse } from './data-folder.ts';
import { placeOf } from './start-problems.ts';

type Part = Pick<Config, 'dataFolder' | 'databaseUrl'>;

/** What one program alone may work on. */
export interface Held {
  /** Fires, with a ConfigProblem, when another program has taken the database meanwhile: this one has to end. */
  taken: AbortSignal;
  release(): Promise<void>;
}

/**
 * Holds the data folder, and the database where that is PostgreSQL, for as long as the program lives. Throws InUse when another has one
 * of them. With `say`, a database is waited for a little, as its program may just have died; it hears of that, and of a lost connection.
 */
export async function hold({ dataFolder, databaseUrl }: Part, say?: (words: string) => void): Promise<Held> {
  const folder = holdFolder(dataFolder);
  if (!databaseUrl) return { taken: new AbortController().signal, release: async () => folder.release() };
  const place = `PostgreSQL ${placeOf(databaseUrl)}`;
  const taken = new AbortController();
  try {
    const { holdPostgres } = await import('./db/postgres-hold.ts'); // as its driver: only where it is used
    const held = await holdPostgres(databaseUrl, {
      ...(say && {
        onWait: () => say(`another Reelkeep works on ${place}; waiting a moment, in case it has just ended`),
        onLost: () => say(`the connection that holds ${place} was lost; it is taken again as soon as that answers`),
      }),
    });
    if (!held) throw new InUse(place, 'a database of its own (REELKEEP_DATABASE)');
    const why = `Another Reelkeep has taken ${place} while this one had lost it, so this one ends. Start it again when the other has been stopped.`;
    held.taken.addEventListener('abort', () => taken.abort(new ConfigProblem(why)));
    return {
      taken: taken.signal,
      async release() {
        await held.release();
        folder.release();
      },
    };
  } catch (error) {
    folder.release();
    throw error;
  }
}

/** The same where nobody works on it; null where somebody does. */
export async function holdIfFree(config: Part): Promise<Held | null> {
  try {
    return await hold(config);
  } catch (error) {
    if (error instanceof InUse) return null;
    throw error;
  }
}
