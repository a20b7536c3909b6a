import { Trans, useLingui } from '@lingui/react/macro';
import { IconArrowBackUp, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { TrashEntry } from '#contract/trash.ts';
import { addressOf } from '#web/api/call.ts';
import { agoText } from '#web/format/dates.ts';
import { RelativeTime } from '#web/format/RelativeTime.tsx';
import { sizeText } from '#web/format/numbers.ts';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { messageText } from '#web/i18n/message-text.ts';
import { useConfig } from '#web/api/account.ts';
import { EntryRow } from '#web/setting-fields/EntryRow.tsx';
import styles from './Trash.module.css';
import { purgeDateText } from './retention/purge-date.ts';
import { PurgeDialog } from './PurgeDialog.tsx';
import { useRestoreVideos } from '#web/api/queries/trash.ts';

/** A deleted video with its restore and purge buttons. */
export function TrashRow({ entry }: { entry: TrashEntry }) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const restore = useRestoreVideos();
  const [openDialog, setOpenDialog] = useState(false);
  const {
    id,
    title,
    channel_name: channel,
    deleted,
    deleted_by: by,
    is_replaced_file: isFile,
    reason,
    purge_at: purgeAt,
  } = entry;
  const when = agoText(deleted);
  return (
    <EntryRow
      icon={<img src={addressOf(entry.thumb_url)} alt="" loading="lazy" decoding="async" className={styles.picture} />}
      name={title}
      facts={
        <>
          <bdi>{channel}</bdi>
          <span className="number">{sizeText(entry.media_size, unit)}</span>
          <RelativeTime at={deleted}>
            {isFile ? t`replaced ${when}` : by === null ? t`deleted ${when} by a rule` : t`deleted ${when} by ${by}`}
          </RelativeTime>
          {reason && <span>{messageText(entry.reason_messages, reason)}</span>}
          <RelativeTime at={purgeAt}>{purgeDateText(purgeAt)}</RelativeTime>
        </>
      }
    >
      <Button size="s" icon={<IconArrowBackUp aria-hidden />} onClick={() => restore([id])} aria-label={t`Restore: ${title}`}>
        <Trans>Restore</Trans>
      </Button>
      <IconButton label={t`Delete permanently: ${title}`} onClick={() => setOpenDialog(true)}>
        <IconTrash aria-hidden />
      </IconButton>
      {openDialog && (
        <PurgeDialog count={1} bytes={entry.media_size} id={id} isFile={isFile} onClose={() => setOpenDialog(false)} />
      )}
    </EntryRow>
  );
}
