import { Trans } from '@lingui/react/macro';
import { IconDeviceTv } from '@tabler/icons-react';
import { leaveTelevision } from './google-cast.ts';
import styles from './notice.module.css';

/** Says on which television it plays, and ends that. */
export function TelevisionSign({ name, isSmall }: { name: string; isSmall: boolean }) {
  return (
    <div className={styles.sign} data-interactive="">
      <IconDeviceTv aria-hidden />
      <span role="status">
        <Trans>
          Plays on <bdi>{name}</bdi>
        </Trans>
      </span>
      {!isSmall && (
        <button type="button" onClick={leaveTelevision}>
          <Trans>Play here again</Trans>
        </button>
      )}
    </div>
  );
}
