/** Why a child failed. `missing`: it could not be started. */
export type ProcessFailure = 'exit' | 'silent' | 'time' | 'missing';

const sentences: Record<ProcessFailure, string> = {
  exit: 'ended with an error',
  silent: 'produced no output for too long and was stopped',
  time: 'took too long and was stopped',
  missing: 'could not be started',
};

/** A child process that failed. `lastWords` is the end of its stderr. */
export class ProcessError extends Error {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly lastWords: string;
  readonly reason: ProcessFailure;

  constructor(
    program: string,
    how: { code?: number | null; signal?: NodeJS.Signals | null; lastWords?: string; reason: ProcessFailure },
  ) {
    const lastLine = how.lastWords?.trim().split('\n').at(-1);
    super(`${program} ${sentences[how.reason]}${lastLine ? `: ${lastLine}` : ''}`);
    this.name = 'ChildFailed';
    this.code = how.code ?? null;
    this.signal = how.signal ?? null;
    this.lastWords = how.lastWords ?? '';
    this.reason = how.reason;
  }
}
