import { createStore } from '#web/ui/create-store.ts';

interface StatusMessage {
  text: string;
  /** Incremented, so that a repeated message is announced again. */
  count: number;
}

/** Last status message of the player: shown briefly, and announced once. */
export const statusMessage = createStore<StatusMessage>({ text: '', count: 0 });

export const showStatus = (text: string) => statusMessage.set({ text, count: statusMessage.get().count + 1 });
