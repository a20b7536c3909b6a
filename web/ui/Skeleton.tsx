import type { CSSProperties } from 'react';
import styles from './Skeleton.module.css';

/** A loading placeholder. */
export function Skeleton({
  width = '100%',
  height = 16,
  ratio,
  round = false,
}: {
  width?: CSSProperties['width'];
  height?: number;
  ratio?: string;
  round?: boolean;
}) {
  return (
    <span
      className={styles.block}
      aria-hidden
      data-skeleton
      style={{ width, borderRadius: round ? '50%' : undefined, ...(ratio ? { aspectRatio: ratio } : { height }) }}
    />
  );
}
