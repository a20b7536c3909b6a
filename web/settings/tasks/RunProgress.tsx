import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router';
import { messageText } from '#web/i18n/message-text.ts';
import { pathOfRun } from '#web/api/queries/run.ts';
import { RunNotes } from '#web/runs/RunNotes.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { useStartedRun } from './task-state.ts';

/** Result and problems of a run started on this page. */
export function RunProgress({ id }: { id: string }) {
  const run = useStartedRun(id);
  if (!run?.ended) return null;
  return (
    <Callout kind={run.status === 'failure' ? 'danger' : 'info'}>
      <p>{run.result === null ? <Trans>Done.</Trans> : messageText(run.result_messages, run.result)}</p>
      <RunNotes notes={run.notes.filter(({ kind }) => kind === 'problem').slice(0, 20)} />
      <p>
        <Link to={pathOfRun(id)}>
          <Trans>Details</Trans>
        </Link>
      </p>
    </Callout>
  );
}
