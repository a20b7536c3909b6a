import { useAction } from '#web/confirm/use-action.ts';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Migration } from '#contract/migrate.ts';
import { call } from '#web/api/call.ts';
import { invalidateTopics } from '#web/api/client.ts';
import { dateTimeText, dayText } from '#web/format/dates.ts';
import { Button } from '#web/ui/Button.tsx';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { Section } from '#web/setting-fields/Section.tsx';
import rows from '#web/setting-fields/Rows.module.css';
import cards from '#web/setting-fields/Settings.module.css';
import { programs } from './programs.ts';
import { migrationQuery, migrationsQuery } from './queries.ts';
import { Report } from './Report.tsx';

/** Asks before an import is undone. */
export function UndoDialog({ migration, onClose }: { migration: Migration; onClose(): void }) {
  const { t } = useLingui();
  const showToast = useToast();
  const undo = useAction(() => call('POST /api/migrate/:id/undo/', { params: { id: migration.id } }), {
    onSuccess: () => showToast(t`The import is being undone.`),
    onSettled: () => invalidateTopics('migrate'),
  });
  return (
    <ConfirmDialog
      title={t`Undo this import?`}
      action={t`Undo import`}
      isBusy={undo.isPending}
      onConfirm={() => undo.mutate(undefined, { onSettled: onClose })}
      onClose={onClose}
    >
      <p>
        <Trans>
          Everything that this import added is removed; imported videos move to the trash. What was changed since then stays, and
          so do the original files.
        </Trans>
      </p>
    </ConfirmDialog>
  );
}

function ReportDialog({ migration, onClose }: { migration: Migration; onClose(): void }) {
  const { t } = useLingui();
  const query = useQuery(migrationQuery(migration.id));
  return (
    <Dialog title={t`Import from ${programs[migration.from].name}`} onClose={onClose}>
      <QueryBoundary query={query} skeleton={<Skeleton height={200} />}>
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
    <li className={rows.row}>
      <div className={rows.text}>
        <strong>{name}</strong>
        <p>
          <span className={migration.status === 'failed' ? rows.disabledBadge : rows.badge}>{states[migration.status]}</span>
          <span>{dateTimeText(migration.started)}</span>
          <span>
            <Plural value={added} one="# entry imported" other="# entries imported" />
          </span>
          <bdi>{migration.source}</bdi>
          {until !== null && <span>{t`undo until ${dayText(until)}`}</span>}
        </p>
      </div>
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
    </li>
  );
}

/** Earlier imports with their reports, and the undo of the last seven days. */
export function PastImports() {
  const { t } = useLingui();
  const query = useQuery(migrationsQuery);
  return (
    <Section id="past-imports" title={t`Past imports`}>
      <QueryBoundary query={query} skeleton={<Skeleton height={64} />}>
        {({ migrations }) => {
          const imports = migrations.filter((one) => !one.dry_run);
          return imports.length === 0 ? (
            <p className={cards.muted}>
              <Trans>None yet. An import can be undone for seven days.</Trans>
            </p>
          ) : (
            <ul className={rows.list}>
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
