import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { backupsQuery, snapshotsQuery } from '#web/api/queries/backup.ts';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { Section } from '#web/setting-fields/Section.tsx';
import { Muted } from '#web/setting-fields/Muted.tsx';
import { RunProgress } from '../tasks/RunProgress.tsx';
import { backupTime } from './backup-date.ts';
import { BackupRow } from './BackupRow.tsx';
import { SnapshotRow } from './SnapshotRow.tsx';

/** All backups and snapshots, newest first, with their restore. */
export function BackupHistory() {
  const { t } = useLingui();
  const [run, setRun] = useState<string>();
  const backups = useQuery(backupsQuery);
  const snapshots = useQuery(snapshotsQuery);
  return (
    <Section id="restore-points" title={t`Restore points`} text={t`All backups and snapshots, newest first.`}>
      {run && <RunProgress key={run} id={run} />}
      <QueryBoundary query={backups} skeleton={120}>
        {(zips) => (
          <QueryBoundary query={snapshots} skeleton={120}>
            {({ snapshots: copies }) => {
              const rows = [
                ...zips.map((backup) => ({
                  at: backupTime(backup),
                  row: <BackupRow key={backup.filename} backup={backup} onRun={setRun} />,
                })),
                ...copies.map((snapshot) => ({
                  at: snapshot.end_stamp,
                  row: <SnapshotRow key={snapshot.id} snapshot={snapshot} />,
                })),
              ].toSorted((a, b) => b.at - a.at);
              return rows.length === 0 ? (
                <Muted>
                  <Trans>No backups yet.</Trans>
                </Muted>
              ) : (
                <ul>{rows.map(({ row }) => row)}</ul>
              );
            }}
          </QueryBoundary>
        )}
      </QueryBoundary>
    </Section>
  );
}
