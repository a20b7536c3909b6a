import { useAction } from '#web/confirm/use-action.ts';
import { Trans, useLingui } from '@lingui/react/macro';
import { IconDots, IconDownload, IconFileZip, IconListCheck, IconRestore, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Backup } from '#contract/backup.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { sizeText } from '#web/format/numbers.ts';
import { IconButton } from '#web/ui/Button.tsx';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '#web/ui/Menu.tsx';
import { useConfig } from '#web/api/account.ts';
import { backupsQuery } from '#web/api/queries/backup.ts';
import styles from '#web/setting-fields/Rows.module.css';
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
  const remove = useAction(
    (_: void, confirm) => call('DELETE /api/appsettings/backup/:filename/', { params: { filename }, ...confirm }),
    { onSettled: () => queryClient.invalidateQueries({ queryKey: backupsQuery.queryKey }) },
  );
  const sources: Record<string, string> = {
    auto: t`scheduled`,
    manual: t`manual`,
    update: t`before an update`,
    before: t`before a restore`,
  };
  return (
    <li className={styles.row}>
      <IconFileZip aria-hidden />
      <div className={styles.text}>
        <strong>{backupDate(backup)}</strong>
        <p>
          <span className={styles.badge}>{t`ZIP backup`}</span>
          <span>{sources[reason.replace(/_\d+$/, '')] ?? t`unknown`}</span>
          <span className="number">{sizeText(size, unit)}</span>
          <span>{t`verified`}</span>
          <bdi>{filename}</bdi>
        </p>
      </div>
      <Menu
        trigger={
          <IconButton label={t`Actions for ${filename}`}>
            <IconDots aria-hidden />
          </IconButton>
        }
      >
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
      </Menu>
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
        <ConfirmDialog
          title={t`Delete this backup?`}
          action={t`Delete backup`}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(undefined, { onSettled: () => setOpenDialog(undefined) })}
          onClose={() => setOpenDialog(undefined)}
        >
          <p>
            <Trans>
              {filename}, {sizeText(size, unit)}. This can’t be undone.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
    </li>
  );
}
