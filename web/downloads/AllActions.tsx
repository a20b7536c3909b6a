import { useState } from 'react';
import { countOf } from '#web/format/numbers.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { useChangeAll, useForgetAll } from './queries.ts';
import styles from './AllActions.module.css';

interface Props {
  /** What the list shows now: that is what "all" means. */
  some: { filter: 'pending' | 'ignore'; channel?: string; vid_type?: 'videos' | 'streams' | 'shorts'; error?: boolean };
  total: number;
}

/** What can be done with everything in the list at once. */
export function AllActions({ some, total }: Props) {
  const change = useChangeAll();
  const forget = useForgetAll();
  const [isAsking, setIsAsking] = useState(false);
  const to = (status: 'pending' | 'ignore' | 'priority' | 'clear_error') => change.mutate({ some, status });
  return (
    <div className={styles.bar}>
      <span>All of these:</span>
      {some.filter === 'pending' ? (
        <>
          <Button size="s" onClick={() => to('priority')}>
            Download now
          </Button>
          {some.error === true && (
            <Button size="s" onClick={() => to('clear_error')}>
              Clear errors
            </Button>
          )}
          <Button size="s" onClick={() => to('ignore')}>
            Ignore
          </Button>
        </>
      ) : (
        <Button size="s" onClick={() => to('pending')}>
          Add to queue
        </Button>
      )}
      <Button size="s" kind="danger" onClick={() => setIsAsking(true)}>
        Forget
      </Button>
      {isAsking && (
        <Dialog title={`Forget ${countOf(total, 'item')}?`} onClose={() => setIsAsking(false)}>
          <p>
            They leave the list; nothing that is archived is touched. When their channel or playlist is added again, they come
            back.
          </p>
          <DialogActions>
            <Button onClick={() => setIsAsking(false)}>Keep them</Button>
            <Button
              kind="danger"
              onClick={() => {
                forget.mutate(some);
                setIsAsking(false);
              }}
            >
              Forget {countOf(total, 'item')}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </div>
  );
}
