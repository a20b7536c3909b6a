/** What keeps an archive from being well as a whole, as far as it is known; told by /api/health/ and under Health. */
export interface Troubles {
  /** How far background work has come since the start. */
  work: 'beginning' | 'begun' | { couldNot: string };
  /** What a start could not put right of what an earlier run left: names of its steps. */
  untidy: string[];
  /** The first thing that is wrong with the database file, in the words of its engine. */
  damage: string | null;
}

/** Of an archive that has just been opened nothing bad is known. */
export const noTroubles = (): Troubles => ({ work: 'beginning', untidy: [], damage: null });
