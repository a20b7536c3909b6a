import { Trans, useLingui } from '@lingui/react/macro';
import { IconArrowBackUp, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { BinEntry } from '#contract/bin.ts';
import { addressOf } from '#web/api/call.ts';
import { agoText } from '#web/format/dates.ts';
import { Moment } from '#web/format/Moment.tsx';
import { sizeText } from '#web/format/numbers.ts';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { useConfig } from '#web/user/queries.ts';
import rows from '#web/settings/Rows.module.css';
import styles from './Bin.module.css';
import { goesText } from './goes-text.ts';
import { GoForGood } from './GoForGood.tsx';
import { usePutBack } from './queries.ts';

/** A deleted video: what it was, who deleted it and when, when it goes; and the way back. */
export function BinRow({ entry }: { entry: BinEntry }) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const putBack = usePutBack();
  const [asks, setAsks] = useState(false);
  const { id, title, channel_name: channel, deleted, deleted_by: by, reason, goes } = entry;
  const when = agoText(deleted);
  return (
    <li className={styles.row}>
      <img src={addressOf(entry.thumb_url)} alt="" loading="lazy" decoding="async" className={styles.picture} />
      <div className={rows.words}>
        <strong>
          <bdi>{title}</bdi>
        </strong>
        <p>
          <bdi>{channel}</bdi>
          <span className="number">{sizeText(entry.media_size, unit)}</span>
          <Moment at={deleted}>{by === null ? t`deleted ${when} by a rule` : t`deleted ${when} by ${by}`}</Moment>
          {reason && <span>{reason}</span>}
          <Moment at={goes}>{goesText(goes)}</Moment>
        </p>
      </div>
      <Button size="s" icon={<IconArrowBackUp aria-hidden />} onClick={() => putBack([id])} aria-label={t`Put back: ${title}`}>
        <Trans>Put back</Trans>
      </Button>
      <IconButton label={t`Delete for good: ${title}`} onClick={() => setAsks(true)}>
        <IconTrash aria-hidden />
      </IconButton>
      {asks && <GoForGood count={1} bytes={entry.media_size} id={id} onClose={() => setAsks(false)} />}
    </li>
  );
}
