import { useAction } from '#web/confirm/use-action.ts';
import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { IconUpload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Button } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { backupsQuery, uploadBackup } from '#web/api/queries/backup.ts';
import { Section } from '#web/setting-fields/Section.tsx';
import { ActionRow } from '#web/ui/ActionRow.tsx';
import { RunProgress } from '../tasks/RunProgress.tsx';
import { useIsRunning } from '../tasks/task-state.ts';

/** Creates and uploads ZIP backups. */
export function Backups() {
  const { t } = useLingui();
  const showToast = useToast();
  const [run, setRun] = useState<string>();
  const chooser = useRef<HTMLInputElement>(null);
  const [isBackingUp, isRestoring] = [useIsRunning('setting:backup'), useIsRunning('setting:restore')];
  const refresh = () => queryClient.invalidateQueries({ queryKey: backupsQuery.queryKey });
  const write = useAction(() => call('POST /api/appsettings/backup/', { body: { reason: 'manual' } }), {
    onSuccess: ({ task_id: id }) => setRun(id),
  });
  const upload = useMutation({
    mutationFn: uploadBackup,
    onSuccess: () => showToast(t`Backup uploaded and verified.`),
    onSettled: refresh,
  });
  return (
    <Section
      id="backups"
      title={t`ZIP backup`}
      text={t`All metadata, users and settings in one ZIP. Media files are not included. You can also upload TubeArchivist backups.`}
    >
      {isBackingUp && <Callout>{t`Backing up archive`}</Callout>}
      {isRestoring && <Callout>{t`Restoring from backup`}</Callout>}
      {upload.isError && <Callout kind="danger">{upload.error.message}</Callout>}
      {run && <RunProgress key={run} id={run} />}
      <ActionRow>
        <Button disabled={isBackingUp} isBusy={write.isPending} onClick={() => write.mutate()}>
          <Trans>Back up now</Trans>
        </Button>
        <Button icon={<IconUpload aria-hidden />} isBusy={upload.isPending} onClick={() => chooser.current?.click()}>
          <Trans>Upload backup…</Trans>
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
      </ActionRow>
    </Section>
  );
}
