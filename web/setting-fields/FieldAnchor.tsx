import type { ReactNode } from 'react';
import { focusControl, useAnchor } from './use-anchor.ts';
import styles from './FieldAnchor.module.css';

/** Focuses the first control of a field when the page address names its anchor. `also`: anchors of fields that are hidden now. */
export function FieldAnchor({ id, also = [], children }: { id: string; also?: string[]; children: ReactNode }) {
  const { element, isTarget } = useAnchor<HTMLDivElement>([id, ...also], focusControl, 'center');
  return (
    <div ref={element} id={id} className={`${styles.field} ${isTarget ? styles.foundField : ''}`}>
      {children}
    </div>
  );
}
