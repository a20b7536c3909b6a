import type { z } from 'zod';
import type { Message } from '#contract/messages.ts';
import type { MessageError } from '../messages/message-error.ts';
import type { AppContext } from './app-context.ts';
import type { Tx } from '../db/db.ts';
import type { ToolName } from './tools.ts';

/** Progress of one download of a task. */
export interface DownloadReport {
  videoId: string;
  title: string;
  stage: Message;
  /** Of the current file; absent before and after its transfer. */
  transfer?: { bytes: number; totalBytes: number | null; bytesPerSecond: number | null; secondsLeft: number | null };
}

/** Progress of a running task. */
export interface Report {
  messages: Message[];
  /** 0–1; absent if unknown. */
  progress?: number;
  downloads?: DownloadReport[];
}

/** A line in the log of a run. */
export interface Note {
  kind: 'problem' | 'new' | 'left-out' | 'step';
  /** A message for a step; else a title or a path. */
  what: string | Message;
  why?: Message | Message[];
  /** The last output of the program that failed. */
  words?: string | undefined;
  videoId?: string;
}

/** What another worker does and did in a run. */
export interface RunShare {
  /** Run id of the worker (AppContext.runId). */
  runId: string;
  egress: string;
  /** Whether it takes part now. */
  isActive: boolean;
  report: Report;
  /** Number of its log lines of each kind. */
  counts: Partial<Record<Note['kind'], number>>;
  /** Messages about failed items. */
  skipped: Message[];
}

/** Input, progress and stop signal of a running task. */
export interface TaskWork<Input> {
  id: string;
  input: Input;
  /**
   * When the run was queued, epoch seconds, if an earlier start of the server began it; else null. Work done since then can be
   * skipped.
   */
  againSince: number | null;
  /** Fires when a user stops the task or the server shuts down. */
  signal: AbortSignal;
  report(now: Report): void;
  /** Records a failed item. The task continues. */
  skip(what: string, why: Message | Message[] | Error, about?: { videoId?: string; cause?: unknown }): void;
  /** Adds a line to the log of the run. */
  note(line: Note): void;
  /** What other workers do and did in this run. Absent for a single server. */
  shares?(): Promise<RunShare[]>;
}

/** The part of another worker in a run. */
export interface AssistWork<Input> extends TaskWork<Input> {
  /** Whether to start more work. The run may have ended, or continue on this worker. */
  isWanted(): boolean;
}

/** A kind of background task. */
export interface TaskDefinition<Input = unknown> {
  /** Name in the API and in schedules. */
  name: string;
  title: string;
  group: string;
  /** Users can start it by name, without input. */
  isStartable: boolean;
  isStoppable: boolean;
  /** Staff can pause a run. The task then checks `Tasks.isPaused` between items. */
  isPausable?: true;
  /** Several runs may run at once; otherwise a second start returns the running one. */
  isParallel?: boolean;
  /** Waits for these programs while they are installed at the first start. */
  needs?: readonly ToolName[];
  /** The task can be scheduled. */
  schedule?: {
    /** Default schedule for `auto`: minute, hour, weekday. */
    auto?: string;
    /** Scheduled from the first start; `new`: only if there are no channels yet. */
    isOnFromTheStart?: true | 'new';
    /** Input of a scheduled run, in addition to `config`. */
    input?: Record<string, unknown>;
    /** Options of the schedule; they become the input. */
    config?: Record<string, { initial: number; min: number; max: number }>;
  };
  /** When a periodic job starts it next, epoch seconds; null: never. For tasks that run regularly without a schedule of the user. */
  nextAutomaticRun?(app: AppContext): Promise<number | null>;
  /** Validated when queued and after a restart, because rows of the database are untrusted. */
  input: z.ZodType<Input>;
  /** Runs the task. Returns the result message, if any. */
  run(work: TaskWork<Input>, app: AppContext): Promise<Message | Message[] | void>;
  /** Records that a run is not started again, because the server ended during it too often. */
  abandon?(input: Input, app: AppContext, why: MessageError): Promise<void>;
  /** Takes part in a run that another worker holds, until nothing is left to do. Called again while the run lasts. */
  assist?(work: AssistWork<Input>, app: AppContext): Promise<void>;
}

export const defineTask = <Input>(definition: TaskDefinition<Input>) => definition;

/** Reason of the signal at shutdown: the run continues at the next start. A task may throw it to leave its run to another worker. */
export class Shutdown extends Error {}
/** Reason of the signal when a user stops the task. */
export class Stopped extends Error {}
/** The lease of a run or queue item expired, and it was claimed again. Its work belongs to the next holder. */
export class LeaseLostError extends Error {
  constructor() {
    super('The lease was lost: another server continues the work.');
  }
}

/** Whether work failed because its lease was lost: the error, or the reason of the signal that interrupted it. */
export const isLeaseLost = (error: unknown, signal: AbortSignal): boolean =>
  error instanceof LeaseLostError || signal.reason instanceof LeaseLostError;

/** A completed run. */
export interface FinishedRun {
  id: string;
  name: string;
  title: string;
  status: 'success' | 'failure' | 'stopped';
  result: Message[] | null;
}

export interface StartedRun {
  id: string;
  /** The run was already queued or running. */
  wasRunning: boolean;
}

/** Starts and controls tasks. */
export interface Tasks {
  start<Input>(definition: TaskDefinition<Input>, input: Input): Promise<StartedRun>;
  /** Queues a run within a transaction. Call `begun` after the commit. */
  queue<Input>(tx: Tx, definition: TaskDefinition<Input>, input: Input): Promise<StartedRun>;
  /** Announces queued runs to browsers and starts them. */
  begun(): Promise<void>;
  startByName(name: string): Promise<StartedRun>;
  /** Requests a run to stop. Returns false if there is no such run that can be stopped. */
  stop(id: string, command: 'STOP' | 'KILL'): Promise<boolean>;
  /** Pauses or resumes a run, also across restarts. Returns false if there is no such run that can be paused. */
  pause(id: string, isPaused: boolean): Promise<boolean>;
  isPaused(id: string): Promise<boolean>;
  definition(name: string): TaskDefinition | undefined;
  definitions(): TaskDefinition[];
  /** Interrupts all runs but this one and starts none until `resume`; they continue after it. Resolves when none is running. */
  pauseOthers(id?: string): Promise<void>;
  resume(): void;
  /** Inputs of the queued and running runs of a task. */
  activeInputs(name: string): Promise<unknown[]>;
}
