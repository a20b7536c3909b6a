import type { AppContext } from '../../platform/context/app-context.ts';

interface Kept {
  mark: string;
  answer: Promise<unknown>;
}

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    /** Last results of slow statistics, by query. */
    statistics: Map<string, Kept>;
  }
}

/** Returns the last result of a query until its `mark` changes. */
export function unlessChanged<T>({ state }: AppContext, question: string, mark: unknown, ask: () => Promise<T>): Promise<T> {
  const known = state.statistics;
  const text = JSON.stringify(mark);
  const last = known.get(question);
  if (last?.mark === text) return last.answer as Promise<T>;
  const answer = ask();
  known.set(question, { mark: text, answer });
  answer.catch(() => known.delete(question));
  return answer;
}
