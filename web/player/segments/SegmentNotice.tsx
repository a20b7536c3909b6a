import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import type { Video } from '#contract/video.ts';
import { seekSilently } from '../commands/actions.ts';
import { segmentKind } from './segment-names.ts';
import { watchSegments, type SegmentEvent } from './segment-watch.ts';
import styles from '../styles/notice.module.css';

const shownMs = 8_000;

/** Skips SponsorBlock segments or offers to, with a notice and undo. */
export function SegmentNotice({ video, element }: { video: Video; element: HTMLVideoElement }) {
  const { t } = useLingui();
  const [found, setFound] = useState<SegmentEvent | null>(null);
  const [keep] = useState(() => new Set<string>());
  useEffect(() => watchSegments(element, video, { keep, onFound: setFound }), [element, video, keep]);
  useEffect(() => {
    if (!found) return;
    const timer = setTimeout(() => setFound(null), shownMs);
    return () => clearTimeout(timer);
  }, [found]);
  if (!found) return null;
  const { segment, isSkipped, from } = found;
  const name = t(segmentKind(segment.category).name);
  const act = () => {
    keep.add(segment.id);
    seekSilently(element, isSkipped ? from : segment.end);
    setFound(null);
  };
  return (
    <div className={styles.notice} role="status" data-interactive="">
      <span>{isSkipped ? <Trans>Skipped: {name}</Trans> : <Trans>{name} starts</Trans>}</span>
      <button type="button" onClick={act}>
        {isSkipped ? <Trans>Undo</Trans> : <Trans>Skip</Trans>}
      </button>
    </div>
  );
}
