import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import type { Video } from '#contract/video.ts';
import { jump } from './actions.ts';
import { segmentKind } from './segment-names.ts';
import { watchSegments, type Found } from './segment-watch.ts';
import styles from './notice.module.css';

const shownMs = 8_000;

/** Leaves out what people marked as not the video's own, or offers to; says so, and takes it back. */
export function SegmentNotice({ video, element }: { video: Video; element: HTMLVideoElement }) {
  const { t } = useLingui();
  const [found, setFound] = useState<Found | null>(null);
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
    jump(element, isSkipped ? from : segment.end);
    setFound(null);
  };
  return (
    <div className={styles.notice} role="status" data-interactive="">
      <span>{isSkipped ? <Trans>Skipped: {name}</Trans> : <Trans>{name} begins</Trans>}</span>
      <button type="button" onClick={act}>
        {isSkipped ? <Trans>Undo</Trans> : <Trans>Skip</Trans>}
      </button>
    </div>
  );
}
