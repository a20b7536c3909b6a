import { Trans } from '@lingui/react/macro';
import { IconPictureInPicture } from '@tabler/icons-react';
import { useLayoutEffect, useRef } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { setMiniPlayer, claimSlot, useIsTheater, usePlayerStore } from './state/player-store.ts';
import styles from './PlayerSlot.module.css';

/** Space that a page reserves for the player, with the player's size. `isPortrait`: it fills its parent. */
export function PlayerSlot({ isPortrait = false }: { isPortrait?: boolean }) {
  const slot = useRef<HTMLDivElement>(null);
  const isAway = usePlayerStore((state) => state.isMini);
  const isTheater = useIsTheater();
  useLayoutEffect(() => claimSlot(slot.current!, { isPortrait }), [isPortrait]);
  return (
    <div className={isPortrait ? styles.portrait : `${styles.slot} ${isTheater ? styles.theater : ''}`}>
      <div ref={slot} className={styles.container} data-player-slot hidden={isAway} />
      {isAway && (
        <div className={styles.placeholder}>
          <p>
            <Trans>Playing in the mini player.</Trans>
          </p>
          <Button icon={<IconPictureInPicture aria-hidden />} onClick={() => setMiniPlayer(false)}>
            <Trans>Move back here</Trans>
          </Button>
        </div>
      )}
    </div>
  );
}
