import { makeStore } from './store.ts';

interface Said {
  text: string;
  /** Counts, so that the same words twice are said twice. */
  turn: number;
}

/** What the player last said of itself: shown in passing, and read out once. */
export const said = makeStore<Said>({ text: '', turn: 0 });

export const say = (text: string) => said.set({ text, turn: said.get().turn + 1 });
