/** Watch state of one side. */
export interface WatchState {
  isWatched: boolean;
  /** Whole seconds. */
  positionSeconds: number;
}

/** A state with the time of its last change, epoch seconds. Null: the side has no time. */
export interface DatedState extends WatchState {
  at: number | null;
}

/** The states of both sides after the last synchronization. */
export interface KnownStates {
  here: WatchState;
  there: WatchState;
}

export interface Decision {
  /** State to set here. */
  here?: DatedState;
  /** State to set on the server. */
  there?: DatedState;
}

// Servers round positions.
const tolerance = 1;

export const isSameState = (a: WatchState, b: WatchState) =>
  a.isWatched === b.isWatched && Math.abs(a.positionSeconds - b.positionSeconds) <= tolerance;

/** Merges states that were never synchronized: watched on one side is watched, the newest position wins. */
function merge(here: DatedState, there: DatedState): Decision {
  const [newer, older] = (there.at ?? 0) > (here.at ?? 0) ? [there, here] : [here, there];
  const target: DatedState = {
    isWatched: here.isWatched || there.isWatched,
    positionSeconds: newer.positionSeconds > 0 || newer.isWatched ? newer.positionSeconds : older.positionSeconds,
    at: newer.at,
  };
  return {
    ...(!isSameState(here, target) && { here: { ...target, at: there.at } }),
    ...(!isSameState(there, target) && { there: { ...target, at: here.at } }),
  };
}

/**
 * Decides which side gets the state of the other (docs/decisions/media-server-sync.md). A change is a difference to the last
 * synchronization. If both sides have changed, the last change wins; a change without a time counts as of now.
 */
export function decide(known: KnownStates | undefined, here: DatedState, there: DatedState, now: number): Decision {
  if (!known) return merge(here, there);
  const isChangedHere = !isSameState(known.here, here);
  const isChangedThere = !isSameState(known.there, there);
  if (isSameState(here, there) || (!isChangedHere && !isChangedThere)) return {};
  // Servers delete the time of an item that is set to unwatched, or leave the old one.
  const isUnwatchedThere = known.there.isWatched && !there.isWatched;
  const thereAt = isUnwatchedThere ? now : (there.at ?? now);
  const isNewerThere = isChangedThere && (!isChangedHere || thereAt >= (here.at ?? now));
  return isNewerThere ? { here: { ...there, at: thereAt } } : { there: here };
}
