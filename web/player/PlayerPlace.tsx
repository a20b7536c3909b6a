import { Trans } from '@lingui/react/macro';
import { IconPictureInPicture } from '@tabler/icons-react';
import { useLayoutEffect, useRef } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { setInCorner, takePlace, useStage } from './stage.ts';
import styles from './PlayerPlace.module.css';

/** The place a page keeps for the player, as large as that will be. */
export function PlayerPlace() {
  const place = useRef<HTMLDivElement>(null);
  const isAway = useStage((stage) => stage.isInCorner);
  const isTheatre = useStage((stage) => stage.isTheatre);
  useLayoutEffect(() => takePlace(place.current!), []);
  return (
    <div className={`${styles.place} ${isTheatre ? styles.theatre : ''}`}>
      <div ref={place} className={styles.box} hidden={isAway} />
      {isAway && (
        <div className={styles.away}>
          <p>
            <Trans>It plays in the corner.</Trans>
          </p>
          <Button icon={<IconPictureInPicture aria-hidden />} onClick={() => setInCorner(false)}>
            <Trans>Bring it back</Trans>
          </Button>
        </div>
      )}
    </div>
  );
}
