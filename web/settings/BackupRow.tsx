import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { IconDots, IconDownload, IconFileZip, IconListCheck, IconRestore, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Backup } from '#contract/backup.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { sizeText } from '#web/format/numbers.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Menu, MenuItem, MenuLine } from '#web/ui/Menu.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useConfig } from '#web/user/queries.ts';
import { backupFile, backupsQuery } from './backup-queries.ts';
import styles from './Rows.module.css';
import { RestoreBackup } from './RestoreBackup.tsx';

/** One backup: when, why, how large, and what can be done with it. */
export function BackupRow({ backup, onRun }: { backup: Backup; onRun(id: string): void }) {
  const { t } = useLingui();
  const say = useToast();
  const unit = useConfig()?.file_size_unit;
  const [asks, setAsks] = useState<'restore' | 'delete'>();
  const { filename, timestamp, reason, file_size: size } = backup;
  const fail = (error: Error) => say(error.message, { isDanger: true });
  const look = useMutation({
    mutationFn: () => call('POST /api/appsettings/backup/:filename/', { params: { filename }, body: { dry_run: true } }),
    onSuccess: ({ task_id: id }) => onRun(id),
    onError: fail,
  });
  const drop = useMutation({
    mutationFn: () => call('DELETE /api/appsettings/backup/:filename/', { params: { filename } }),
    onError: fail,
    onSettled: () => queryClient.invalidateQueries({ queryKey: backupsQuery.queryKey }),
  });
  const sources: Record<string, string> = {
    auto: t`by schedule`,
    manual: t`by hand`,
    update: t`before an update`,
    before: t`before a restore`,
  };
  return (
    <li className={styles.row}>
      <IconFileZip aria-hidden />
      <div className={styles.words}>
        <strong>{timestamp}</strong>
        <p>
          <span>{sources[reason.replace(/_\d+$/, '')] ?? t`of unknown source`}</span>
          <span className="number">{sizeText(size, unit)}</span>
          <span>{t`looked over when it came`}</span>
          <bdi>{filename}</bdi>
        </p>
      </div>
      <Menu
        trigger={
          <Button size="s" icon={<IconDots aria-hidden />} aria-label={t`With ${filename} …`}>
            …
          </Button>
        }
      >
        <MenuItem icon={<IconDownload aria-hidden />} onSelect={() => location.assign(backupFile(filename))}>
          <Trans>Download</Trans>
        </MenuItem>
        <MenuItem icon={<IconListCheck aria-hidden />} onSelect={() => look.mutate()}>
          <Trans>Only say what it would do</Trans>
        </MenuItem>
        <MenuItem icon={<IconRestore aria-hidden />} onSelect={() => setAsks('restore')}>
          <Trans>Restore …</Trans>
        </MenuItem>
        <MenuLine />
        <MenuItem icon={<IconTrash aria-hidden />} isDanger onSelect={() => setAsks('delete')}>
          <Trans>Delete …</Trans>
        </MenuItem>
      </Menu>
      {asks === 'restore' && (
        <RestoreBackup
          backup={backup}
          onClose={(id) => {
            setAsks(undefined);
            if (id) onRun(id);
          }}
        />
      )}
      {asks === 'delete' && (
        <Dialog title={t`Delete this backup?`} onClose={() => setAsks(undefined)}>
          <p>
            <Trans>
              {filename}, {sizeText(size, unit)}. It cannot be had again.
            </Trans>
          </p>
          <DialogActions>
            <Button onClick={() => setAsks(undefined)}>
              <Trans>Keep it</Trans>
            </Button>
            <Button
              kind="danger"
              isBusy={drop.isPending}
              onClick={() => drop.mutate(undefined, { onSettled: () => setAsks(undefined) })}
            >
              <Trans>Delete backup</Trans>
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </li>
  );
}
