import type { z } from 'zod';
import type { Archive } from '../archive.ts';
import type { Tx } from '../db/db.ts';

/** What a task says of itself while it runs. */
export interface Report {
  messages: string[];
  /** 0–1; left out while nobody can know. */
  progress?: number;
}

/** A line of what a run did. */
export interface Note {
  kind: 'problem' | 'new' | 'left-out' | 'step';
  what: string;
  why?: string;
  /** The last words of the program that failed. */
  words?: string | undefined;
  videoId?: string;
}

/** What a task gets to work with. */
export interface Work<Input> {
  id: string;
  input: Input;
  /**
   * When it was asked for, epoch seconds, where an earlier start of the program began it already; else null. What was done
   * since then need not be done again.
   */
  againSince: number | null;
  /** Fires when a person stops the task, or the program ends. */
  signal: AbortSignal;
  report(now: Report): void;
  /** One bad item is a line in the result, never the end of the job. */
  skip(what: string, why: unknown, about?: { videoId?: string; cause?: unknown }): void;
  /** Something that people may want to look up later. */
  note(line: Note): void;
}

/** One kind of background work: its name, how it is shown, and what it does. */
export interface TaskDefinition<Input = unknown> {
  /** As the API and schedules call it. */
  name: string;
  title: string;
  group: string;
  /** A person may start it by its name, without input. */
  isStartable: boolean;
  isStoppable: boolean;
  /** Several may run side by side; else a second start answers with the one that runs. */
  isParallel?: boolean;
  /** It can run by itself, at a time that a person sets. */
  schedule?: {
    /** Minute, hour, weekday, for who does not care. */
    auto?: string;
    /** It does so from the first start on. */
    isOnFromTheStart?: true;
    /** What may be set beside the time; becomes the input. */
    config?: Record<string, { initial: number; min: number; max: number }>;
  };
  /** Checked when queued, and again after a restart: a row of the database is an input from outside. */
  input: z.ZodType<Input>;
  /** Does the work; answers the sentence of the result, or nothing. */
  run(work: Work<Input>, archive: Archive): Promise<string | void>;
}

export const defineTask = <Input>(definition: TaskDefinition<Input>) => definition;

/** The program ends: what runs goes on at the next start. */
export class Shutdown extends Error {}
/** A person stopped the task. */
export class Stopped extends Error {}

/** A run that is over. */
export interface Ended {
  id: string;
  name: string;
  title: string;
  status: 'success' | 'failure' | 'stopped';
  result: string | null;
}

export interface Started {
  id: string;
  /** It was running, or waiting, already: this is that one. */
  wasRunning: boolean;
}

/** What the rooms may do with tasks. */
export interface Tasks {
  start<Input>(definition: TaskDefinition<Input>, input: Input): Promise<Started>;
  /** Only its row, in a transaction of which it is a part; to be followed by `begun` when that is over. */
  queue<Input>(tx: Tx, definition: TaskDefinition<Input>, input: Input): Promise<Started>;
  /** Tells people of what was queued, and looks for it. */
  begun(): Promise<void>;
  startByName(name: string): Promise<Started>;
  /** Asks a run to stop; false when there is none of that id that could. */
  stop(id: string, command: 'STOP' | 'KILL'): Promise<boolean>;
  definition(name: string): TaskDefinition | undefined;
  /** Ends everything else that runs, to be gone on with later, and starts nothing until `resume`. Resolves when it is quiet. */
  pauseOthers(id: string): Promise<void>;
  resume(): void;
  /** The inputs of the runs of a task that wait or are under way. */
  underWay(name: string): Promise<unknown[]>;
}
