/** Why a child did not end well. `missing`: it could not be started at all. */
export type ChildReason = 'exit' | 'silent' | 'time' | 'missing';

const sentences: Record<ChildReason, string> = {
  exit: 'ended with an error',
  silent: 'said nothing for too long and was stopped',
  time: 'took too long and was stopped',
  missing: 'could not be started',
};

/** A child program that ended otherwise than hoped. `lastWords` is the end of what it wrote to stderr. */
export class ChildFailed extends Error {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly lastWords: string;
  readonly reason: ChildReason;

  constructor(
    program: string,
    how: { code?: number | null; signal?: NodeJS.Signals | null; lastWords?: string; reason: ChildReason },
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
