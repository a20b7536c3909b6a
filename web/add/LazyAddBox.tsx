import { Skeleton } from '#web/ui/Skeleton.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import type { Place } from './plan-actions.ts';
import styles from './AddBox.module.css';

const AddBox = lazyComponent(async () => (await import('./AddBox.tsx')).AddBox);

/** The box on pages that are about something else: its code is loaded after the page. */
export const LazyAddBox = ({ place }: { place: Place }) => (
  <AddBox
    place={place}
    fallback={
      <div className={styles.framed}>
        <Skeleton height={46} />
      </div>
    }
  />
);
