import type { ProgramImportTake } from '#contract/program-import.ts';
import { message, type Message } from '#contract/messages.ts';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { MessageError } from '../../../platform/messages/message-error.ts';
import type { Item } from '../item/item.ts';
import type { Source, SourceFile } from '../source/source.ts';

type ProxyFetch = AppContext['tools']['proxy']['fetch'];

/** What a reader gets. */
export interface Reading {
  source: Source;
  signal: AbortSignal;
  /** Epoch seconds. */
  now: number;
  /** A running program, whose API is called instead of reading files. */
  live: { address: string; token: string; fetch: ProxyFetch } | null;
}

/** How the data of one program is read. */
export interface Program {
  name: string;
  /** Kinds of data that it has, in the order of the report. */
  takes: readonly ProgramImportTake[];
  /** Those that are imported if the request names none. */
  standard: readonly ProgramImportTake[];
  /** Whether a file of a folder or ZIP can be its data. */
  isWanted(name: string): boolean;
  /** Yields the data: subscriptions first, videos before what refers to them. */
  read(reading: Reading): AsyncGenerator<Item>;
}

export const problem = (subject: string, why: Message): Item => ({ what: 'problem', subject: subject.slice(0, 300), why });

export const unreadable = message('migrate.entry');

/** Reads each file on its own: of several, a faulty one is a line of the report. @throws if it is the only file */
export async function* readEach(
  files: readonly SourceFile[],
  { source, signal }: Pick<Reading, 'source' | 'signal'>,
  read: (file: SourceFile) => AsyncGenerator<Item>,
): AsyncGenerator<Item> {
  for (const file of files)
    try {
      yield* read(file);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof MessageError) || source.files.length === 1) throw error;
      for (const why of error.messages) yield problem(file.name, why);
    }
}
