import { lazy, Suspense } from 'react';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import type { Place } from './plan-actions.ts';
import styles from './AddBox.module.css';

const AddBox = lazy(async () => ({ default: (await import('./AddBox.tsx')).AddBox }));

/** The box on pages that are about something else: its code is loaded after the page. */
export const LazyAddBox = ({ place }: { place: Place }) => (
  <Suspense
    fallback={
      <div className={styles.framed}>
        <Skeleton height={46} />
      </div>
    }
  >
    <AddBox place={place} />
  </Suspense>
);
