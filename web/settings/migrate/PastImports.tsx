import { ActionDialog } from '#web/confirm/ActionDialog.tsx';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Migration } from '#contract/migrate.ts';
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
import { migrationQuery, migrationsQuery } from './queries.ts';
import { Report } from './Report.tsx';

/** Asks before an import is undone. */
export function UndoDialog({ migration, onClose }: { migration: Migration; onClose(): void }) {
  const { t } = useLingui();
  const showToast = useToast();
  return (
    <ActionDialog
      title={t`Undo this import?`}
      action={t`Undo import`}
      run={() => call('POST /api/migrate/:id/undo/', { params: { id: migration.id } })}
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

function ReportDialog({ migration, onClose }: { migration: Migration; onClose(): void }) {
  const { t } = useLingui();
  const query = useQuery(migrationQuery(migration.id));
  return (
    <Dialog title={t`Import from ${programs[migration.from].name}`} onClose={onClose}>
      <QueryBoundary query={query} skeleton={200}>
        {(report) => <Report report={report} />}
      </QueryBoundary>
      <DialogActions>
        <Button onClick={onClose}>{t`Close`}</Button>
      </DialogActions>
    </Dialog>
  );
}

function PastImport({ migration }: { migration: Migration }) {
  const { t } = useLingui();
  const [open, setOpen] = useState<'report' | 'undo'>();
  const { name } = programs[migration.from];
  const added = migration.counts.reduce((sum, count) => sum + count.added, 0);
  const states = {
    pending: t`waiting`,
    running: t`running`,
    done: t`done`,
    failed: t`failed`,
    undone: t`undone`,
  };
  const until = migration.undo_until;
  return (
    <EntryRow
      name={name}
      facts={
        <>
          <Badge isDanger={migration.status === 'failed'}>{states[migration.status]}</Badge>
          <span>{dateTimeText(migration.started)}</span>
          <span>
            <Plural value={added} one="# entry imported" other="# entries imported" />
          </span>
          <bdi>{migration.source}</bdi>
          {until !== null && <span>{t`undo until ${dayText(until)}`}</span>}
        </>
      }
    >
      <Button size="s" aria-label={t`Report of ${name}, ${dateTimeText(migration.started)}`} onClick={() => setOpen('report')}>
        {t`Report`}
      </Button>
      {until !== null && (
        <Button size="s" aria-label={t`Undo ${name}, ${dateTimeText(migration.started)}`} onClick={() => setOpen('undo')}>
          {t`Undo…`}
        </Button>
      )}
      {open === 'report' && <ReportDialog migration={migration} onClose={() => setOpen(undefined)} />}
      {open === 'undo' && <UndoDialog migration={migration} onClose={() => setOpen(undefined)} />}
    </EntryRow>
  );
}

/** Earlier imports with their reports, and the undo of the last seven days. */
export function PastImports() {
  const { t } = useLingui();
  const query = useQuery(migrationsQuery);
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
              {imports.map((migration) => (
                <PastImport key={migration.id} migration={migration} />
              ))}
            </ul>
          );
        }}
      </QueryBoundary>
    </Section>
  );
}
