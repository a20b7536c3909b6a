import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router';
import { told } from '#web/api/told.ts';
import { pathOfRun } from '#web/runs/queries.ts';
import { RunNotes } from '#web/runs/RunNotes.tsx';
import { Note } from '#web/ui/Note.tsx';
import { useStarted } from './task-state.ts';

/** What came of a run that was started here: its sentence and its problems. */
export function StartedRun({ id }: { id: string }) {
  const run = useStarted(id);
  if (!run?.ended) return null;
  return (
    <Note kind={run.status === 'failure' ? 'danger' : 'info'}>
      <p>{run.result === null ? <Trans>Done.</Trans> : told(run.result, run.result_said)}</p>
      <RunNotes notes={run.notes.filter(({ kind }) => kind === 'problem').slice(0, 20)} />
      <p>
        <Link to={pathOfRun(id)}>
          <Trans>Everything it did</Trans>
        </Link>
      </p>
    </Note>
  );
}
