import { Trans } from '@lingui/react/macro';
import { connection } from '#web/api/connection.ts';
import { Button } from '#web/ui/Button.tsx';
import { useStoreValue } from '#web/ui/create-store.ts';
import styles from './ServerState.module.css';

/** Banner while the server cannot be reached, and after an update. It covers the page, so that nothing shifts. */
export function ServerState() {
  const isLost = useStoreValue(connection, (state) => state.isLost);
  const isOutdated = useStoreValue(connection, (state) => state.isOutdated);
  return (
    <div className={styles.place} role="status">
      {isLost && (
        <p className={styles.banner}>
          <Trans>Can’t reach the server. This page continues when it is back.</Trans>
        </p>
      )}
      {!isLost && isOutdated && (
        <p className={styles.banner}>
          <Trans>Reelkeep was updated.</Trans>
          <Button size="s" onClick={() => location.reload()}>
            <Trans>Reload</Trans>
          </Button>
        </p>
      )}
    </div>
  );
}
