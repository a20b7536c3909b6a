import { ActionDialog } from '#web/confirm/ActionDialog.tsx';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProgramImport } from '#contract/program-import.ts';
import { call } from '#web/api/call.ts';
import { dateTimeText, dayText } from '#web/format/dates.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { Section } from '#web/setting-fields/Section.tsx';
import { Muted } from '#web/setting-fields/Muted.tsx';
import { EntryRow } from '#web/setting-fields/EntryRow.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { programs } from './programs.ts';
import { programImportQuery, programImportsQuery } from './queries.ts';
import { Report } from './Report.tsx';

/** Asks before an import is undone. */
export function UndoDialog({ programImport, onClose }: { programImport: ProgramImport; onClose(): void }) {
  const { t } = useLingui();
  const showToast = useToast();
  return (
    <ActionDialog
      title={t`Undo this import?`}
      action={t`Undo import`}
      run={() => call('POST /api/migrate/:id/undo/', { params: { id: programImport.id } })}
      queryKey={['migrate']}
      onSuccess={() => showToast(t`The import is being undone.`)}
      onClose={onClose}
    >
      <p>
        <Trans>
          Everything that this import added is removed; imported videos move to the trash. What was changed since then stays, and
          so do the original files.
        </Trans>
      </p>
    </ActionDialog>
  );
}

function ReportDialog({ programImport, onClose }: { programImport: ProgramImport; onClose(): void }) {
  const { t } = useLingui();
  const query = useQuery(programImportQuery(programImport.id));
  return (
    <Dialog title={t`Import from ${programs[programImport.from].name}`} onClose={onClose}>
      <QueryBoundary query={query} skeleton={200}>
        {(report) => <Report report={report} />}
      </QueryBoundary>
      <DialogActions>
        <Button onClick={onClose}>{t`Close`}</Button>
      </DialogActions>
    </Dialog>
  );
}

function PastImport({ programImport }: { programImport: ProgramImport }) {
  const { t } = useLingui();
  const [open, setOpen] = useState<'report' | 'undo'>();
  const { name } = programs[programImport.from];
  const added = programImport.counts.reduce((sum, count) => sum + count.added, 0);
  const states = {
    pending: t`waiting`,
    running: t`running`,
    done: t`done`,
    failed: t`failed`,
    undone: t`undone`,
  };
  const until = programImport.undo_until;
  return (
    <EntryRow
      name={name}
      facts={
        <>
          <Badge isDanger={programImport.status === 'failed'}>{states[programImport.status]}</Badge>
          <span>{dateTimeText(programImport.started)}</span>
          <span>
            <Plural value={added} one="# entry imported" other="# entries imported" />
          </span>
          <bdi>{programImport.source}</bdi>
          {until !== null && <span>{t`undo until ${dayText(until)}`}</span>}
        </>
      }
    >
      <Button
        size="s"
        aria-label={t`Report of ${name}, ${dateTimeText(programImport.started)}`}
        onClick={() => setOpen('report')}
      >
        {t`Report`}
      </Button>
      {until !== null && (
        <Button size="s" aria-label={t`Undo ${name}, ${dateTimeText(programImport.started)}`} onClick={() => setOpen('undo')}>
          {t`Undo…`}
        </Button>
      )}
      {open === 'report' && <ReportDialog programImport={programImport} onClose={() => setOpen(undefined)} />}
      {open === 'undo' && <UndoDialog programImport={programImport} onClose={() => setOpen(undefined)} />}
    </EntryRow>
  );
}

/** Earlier imports with their reports, and the undo of the last seven days. */
export function PastImports() {
  const { t } = useLingui();
  const query = useQuery(programImportsQuery);
  return (
    <Section id="past-imports" title={t`Past imports`}>
      <QueryBoundary query={query} skeleton={64}>
        {({ migrations }) => {
          const imports = migrations.filter((one) => !one.dry_run);
          return imports.length === 0 ? (
            <Muted>
              <Trans>None yet. An import can be undone for seven days.</Trans>
            </Muted>
          ) : (
            <ul>
              {imports.map((programImport) => (
                <PastImport key={programImport.id} programImport={programImport} />
              ))}
            </ul>
          );
        }}
      </QueryBoundary>
    </Section>
  );
}
