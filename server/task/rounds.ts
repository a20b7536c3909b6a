import type { Archive } from '../archive.ts';

/** Something that is looked at from time to time while the program runs. */
export interface Round {
  name: string;
  everySeconds: number;
  go(archive: Archive): Promise<void>;
}

/** Begins the rounds; the function it answers ends them, and resolves when none is under way. */
export function beginRounds(archive: Archive, rounds: Round[]): () => Promise<void> {
  const under = new Map<Round, Promise<void>>();
  const timers = rounds.map((round) =>
    setInterval(() => {
      if (under.has(round) || archive.maintenance.why) return; // the last one is not over yet, or nothing may change
      const going = round
        .go(archive)
        .catch((error: unknown) => archive.log.error({ round: round.name, err: error }, 'a round failed'))
        .finally(() => under.delete(round));
      under.set(round, going);
    }, round.everySeconds * 1000),
  );
  return async () => {
    for (const timer of timers) clearInterval(timer);
    await Promise.all(under.values());
  };
}
