import { Trans } from '@lingui/react/macro';
import { IconDeviceTv } from '@tabler/icons-react';
import { stopCasting } from '../state/google-cast.ts';
import styles from '../styles/notice.module.css';

/** Names the TV that plays, with a button to stop casting. */
export function CastOverlay({ name, isSmall }: { name: string; isSmall: boolean }) {
  return (
    <div className={styles.badge} data-interactive="">
      <IconDeviceTv aria-hidden />
      <span role="status">
        <Trans>
          Playing on <bdi>{name}</bdi>
        </Trans>
      </span>
      {!isSmall && (
        <button type="button" onClick={stopCasting}>
          <Trans>Stop casting</Trans>
        </button>
      )}
    </div>
  );
}
