import { Trans, useLingui } from '@lingui/react/macro';
import { IconArrowDown, IconArrowUp, IconArrowsShuffle, IconPlaylist, IconTrash, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { addressOf } from '#web/api/call.ts';
import { durationText } from '#web/format/numbers.ts';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { SegmentedControl } from '#web/ui/SegmentedControl.tsx';
import { EmptyState } from '#web/ui/Callout.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { pathOfVideo } from '#web/api/paths.ts';
import {
  clearQueue,
  moveInQueue,
  playQueue,
  removeFromQueue,
  setQueue,
  setRepeat,
  shuffleQueue,
  usePlayQueue,
  type QueuedVideo,
} from './queue.ts';
import { AutoplayDelay } from './AutoplayDelay.tsx';
import styles from './QueueList.module.css';

interface ItemProps {
  item: QueuedVideo;
  isShown: boolean;
  index: number;
  count: number;
  /** Announces the new position to screen readers. */
  onMoved(words: string): void;
}

function Item({ item, isShown, index, count, onMoved }: ItemProps) {
  const { t } = useLingui();
  const showToast = useToast();
  const { id, title } = item;
  const acts = useRef<HTMLSpanElement>(null);
  const move = (step: 1 | -1) => {
    moveInQueue(id, step);
    const now = index + step;
    onMoved(t`Moved “${title}” to position ${now + 1} of ${count}.`);
    // At either end the pressed button is disabled, so the other one gets the focus.
    if (now === 0 || now === count - 1)
      requestAnimationFrame(() => acts.current?.querySelector<HTMLElement>('button:enabled')?.focus());
  };
  const remove = () => {
    const before = playQueue().items;
    removeFromQueue(id);
    showToast(t`Removed “${title}” from Up next.`, { action: { label: t`Undo`, run: () => setQueue(before) } });
  };
  return (
    <li className={`${styles.item} ${isShown ? styles.current : ''}`} aria-current={isShown || undefined}>
      <Link to={pathOfVideo({ youtube_id: id })} className={styles.link}>
        <img src={addressOf(item.thumbnail)} alt="" width={96} height={54} loading="lazy" />
        <span className={styles.text}>
          <bdi title={title}>{title}</bdi>
          <span>
            <bdi>{item.channel}</bdi> · <span className="number">{durationText(item.durationSeconds)}</span>
          </span>
        </span>
      </Link>
      <span className={styles.actions} ref={acts}>
        <IconButton label={t`Move “${title}” up`} disabled={index === 0} onClick={() => move(-1)}>
          <IconArrowUp aria-hidden />
        </IconButton>
        <IconButton label={t`Move “${title}” down`} disabled={index === count - 1} onClick={() => move(1)}>
          <IconArrowDown aria-hidden />
        </IconButton>
        <IconButton label={t`Remove “${title}” from Up next`} onClick={remove}>
          <IconX aria-hidden />
        </IconButton>
      </span>
    </li>
  );
}

/** List of the videos in Up next. */
export function QueueList({ shownId }: { shownId: string }) {
  const { t } = useLingui();
  const showToast = useToast();
  const { items, repeat } = usePlayQueue((queue) => queue);
  const [moved, setMoved] = useState('');
  const clear = () => {
    clearQueue();
    showToast(t`Up next cleared.`, { action: { label: t`Undo`, run: () => setQueue(items) } });
  };
  if (items.length === 0)
    return (
      <EmptyState icon={<IconPlaylist />} title={t`Up next is empty`}>
        <Trans>Choose “Play next” or “Add to Up next” in a video’s menu.</Trans>
      </EmptyState>
    );
  return (
    <div className={styles.queue}>
      <div className={styles.head}>
        <Button size="s" icon={<IconArrowsShuffle aria-hidden />} onClick={() => shuffleQueue(shownId)}>
          <Trans>Shuffle</Trans>
        </Button>
        <Button size="s" icon={<IconTrash aria-hidden />} onClick={clear}>
          <Trans>Clear</Trans>
        </Button>
        <SegmentedControl
          label={t`Repeat`}
          value={repeat}
          onChange={setRepeat}
          choices={[
            { value: 'off', label: t`Off` },
            { value: 'all', label: t`All` },
            { value: 'one', label: t`This video` },
          ]}
        />
        <AutoplayDelay />
      </div>
      <ol className={styles.list}>
        {items.map((item, index) => (
          <Item key={item.id} item={item} isShown={item.id === shownId} index={index} count={items.length} onMoved={setMoved} />
        ))}
      </ol>
      <p className="hidden" role="status">
        {moved}
      </p>
    </div>
  );
}
