import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconUpload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Button } from '#web/ui/Button.tsx';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Note } from '#web/ui/Note.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { BackupRow } from './BackupRow.tsx';
import { backupsQuery, uploadBackup } from './backup-queries.ts';
import { Section } from './Section.tsx';
import cards from './Settings.module.css';
import { StartedRun } from './StartedRun.tsx';
import { useIsRunning } from './task-state.ts';

/** Backups as ZIP files: written, fetched, brought, tried and restored. */
export function Backups() {
  const { t } = useLingui();
  const say = useToast();
  const [run, setRun] = useState<string>();
  const chooser = useRef<HTMLInputElement>(null);
  const query = useQuery(backupsQuery);
  const [isBackingUp, isRestoring] = [useIsRunning('setting:backup'), useIsRunning('setting:restore')];
  const refresh = () => queryClient.invalidateQueries({ queryKey: backupsQuery.queryKey });
  const write = useMutation({
    mutationFn: () => call('POST /api/appsettings/backup/', { body: { reason: 'manual' } }),
    onSuccess: ({ task_id: id }) => setRun(id),
    onError: (error) => say(error.message, { isDanger: true }),
  });
  const upload = useMutation({
    mutationFn: uploadBackup,
    onSuccess: () => say(t`It is here, and whole.`),
    onSettled: refresh,
  });
  return (
    <Section
      id="backups"
      title={t`ZIP backup`}
      words={t`All that the archive knows, in a file that any program can read; media files are not in it. Backups of TubeArchivist can be brought here too.`}
    >
      {isBackingUp && <Note>{t`Backing up archive`}</Note>}
      {isRestoring && <Note>{t`Restoring from backup`}</Note>}
      {upload.isError && <Note kind="danger">{upload.error.message}</Note>}
      {run && <StartedRun key={run} id={run} />}
      <div className={cards.actions}>
        <Button disabled={isBackingUp} isBusy={write.isPending} onClick={() => write.mutate()}>
          <Trans>Back up now</Trans>
        </Button>
        <Button icon={<IconUpload aria-hidden />} isBusy={upload.isPending} onClick={() => chooser.current?.click()}>
          <Trans>Bring a backup</Trans>
        </Button>
        <input
          ref={chooser}
          type="file"
          accept=".zip,application/zip"
          hidden
          aria-label={t`Backup file`}
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            if (file) upload.mutate(file);
            event.target.value = '';
          }}
        />
      </div>
      <Loaded query={query} skeleton={<Skeleton height={120} />}>
        {(backups) =>
          backups.length === 0 ? (
            <p className={cards.muted}>
              <Trans>There is no backup yet.</Trans>
            </p>
          ) : (
            <ul>
              {backups.map((backup) => (
                <BackupRow key={backup.filename} backup={backup} onRun={setRun} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
