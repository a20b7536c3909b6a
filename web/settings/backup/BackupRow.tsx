import { ActionDialog } from '#web/confirm/ActionDialog.tsx';
import { useAction } from '#web/confirm/use-action.ts';
import { Trans, useLingui } from '@lingui/react/macro';
import { IconDownload, IconFileZip, IconListCheck, IconRestore, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Backup } from '#contract/backup.ts';
import { call } from '#web/api/call.ts';
import { sizeText } from '#web/format/numbers.ts';
import { MenuItem, MenuSeparator } from '#web/ui/Menu.tsx';
import { useConfig } from '#web/api/account.ts';
import { backupsQuery } from '#web/api/queries/backup.ts';
import { EntryRow } from '#web/setting-fields/EntryRow.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { ActionsMenu } from '#web/setting-fields/ActionsMenu.tsx';
import { backupDate } from './backup-date.ts';
import { RestoreBackup } from './RestoreBackup.tsx';

/** A backup with its reason, size and actions. */
export function BackupRow({ backup, onRun }: { backup: Backup; onRun(id: string): void }) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const [openDialog, setOpenDialog] = useState<'restore' | 'delete'>();
  const { filename, reason, file_size: size } = backup;
  const dryRun = useAction(
    () => call('POST /api/appsettings/backup/:filename/', { params: { filename }, body: { dry_run: true } }),
    { onSuccess: ({ task_id: id }) => onRun(id) },
  );
  const download = useAction(
    (_: void, confirm) => call('POST /api/appsettings/backup/:filename/link/', { params: { filename }, ...confirm }),
    { onSuccess: ({ url }) => location.assign(url) },
  );
  const sources: Record<string, string> = {
    auto: t`scheduled`,
    manual: t`manual`,
    update: t`before an update`,
    before: t`before a restore`,
  };
  return (
    <EntryRow
      icon={<IconFileZip aria-hidden />}
      name={backupDate(backup)}
      facts={
        <>
          <Badge>{t`ZIP backup`}</Badge>
          <span>{sources[reason.replace(/_\d+$/, '')] ?? t`unknown`}</span>
          <span className="number">{sizeText(size, unit)}</span>
          <span>{t`verified`}</span>
          <bdi>{filename}</bdi>
        </>
      }
    >
      <ActionsMenu name={filename}>
        <MenuItem icon={<IconDownload aria-hidden />} onSelect={() => download.mutate()}>
          <Trans>Download</Trans>
        </MenuItem>
        <MenuItem icon={<IconListCheck aria-hidden />} onSelect={() => dryRun.mutate()}>
          <Trans>Dry run</Trans>
        </MenuItem>
        <MenuItem icon={<IconRestore aria-hidden />} onSelect={() => setOpenDialog('restore')}>
          <Trans>Restore…</Trans>
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<IconTrash aria-hidden />} isDanger onSelect={() => setOpenDialog('delete')}>
          <Trans>Delete…</Trans>
        </MenuItem>
      </ActionsMenu>
      {openDialog === 'restore' && (
        <RestoreBackup
          backup={backup}
          onClose={(id) => {
            setOpenDialog(undefined);
            if (id) onRun(id);
          }}
        />
      )}
      {openDialog === 'delete' && (
        <ActionDialog
          title={t`Delete this backup?`}
          action={t`Delete backup`}
          run={(confirm) => call('DELETE /api/appsettings/backup/:filename/', { params: { filename }, ...confirm })}
          queryKey={backupsQuery.queryKey}
          onClose={() => setOpenDialog(undefined)}
        >
          <p>
            <Trans>
              {filename}, {sizeText(size, unit)}. This can’t be undone.
            </Trans>
          </p>
        </ActionDialog>
      )}
    </EntryRow>
  );
}
