// Without the code that reads them, because the first page checks them.

/** Ids of the videos saved on this device. */
export const savedIdsKey = 'reelkeep.offline';
/** Positions reached offline, until they are sent. */
export const offlineProgressKey = 'reelkeep.offline-progress';
