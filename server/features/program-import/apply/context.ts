import type { ProgramImportTake } from '#contract/program-import.ts';
import type { Message } from '#contract/messages.ts';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { chunks, type Tx } from '../../../platform/db/db.ts';
import type { MigrationChangeTable } from '../../../platform/db/schema/tables.ts';

export interface Counts {
  found: number;
  added: number;
  here: number;
  left: number;
}

/** State of one import. */
export interface Applying {
  app: AppContext;
  importId: string;
  /** Reads only; writes nothing. */
  isDry: boolean;
  takes: ReadonlySet<ProgramImportTake>;
  /** The account that gets watched marks and playlists. */
  accountId: number;
  signal: AbortSignal;
  /** Adds to the counts of the report. */
  count(take: ProgramImportTake, counts: Partial<Counts>): void;
  report(kind: 'problem' | 'note', subject: string, why: Message | Message[]): void;
  /** What a dry run has counted as added, so that it is not counted twice. */
  known: { has(take: ProgramImportTake, id: string): boolean; add(take: ProgramImportTake, id: string): void };
}

export interface Change {
  take: ProgramImportTake | null;
  kind: MigrationChangeTable['kind'];
  subject: string;
  state?: unknown;
}

/** Records changes in their own transaction, for the undo. */
export async function recordChanges(tx: Tx, { importId }: Applying, changes: Change[]): Promise<void> {
  for (const part of chunks(changes, 200))
    await tx
      .insertInto('migrationChange')
      .values(
        part.map(({ take, kind, subject, state }) => ({
          migrationId: importId,
          take,
          kind,
          subject,
          state: state === undefined ? null : JSON.stringify(state),
        })),
      )
      .execute();
}
