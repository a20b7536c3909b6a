import { Trans } from '@lingui/react/macro';
import { Badge } from '#web/ui/Badge.tsx';
import styles from './GeneratedNote.module.css';

/** Says that the chapters are not those of the author. */
export const GeneratedNote = () => (
  <p className={styles.note}>
    <Badge>
      <Trans>Generated</Trans>
    </Badge>
    <Trans>From the transcript. They can be wrong.</Trans>
  </p>
);
