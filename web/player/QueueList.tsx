import { Trans, useLingui } from '@lingui/react/macro';
import { IconArrowDown, IconArrowUp, IconArrowsShuffle, IconPlaylist, IconTrash, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { addressOf } from '#web/api/call.ts';
import { durationText } from '#web/format/numbers.ts';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Choices } from '#web/ui/Choices.tsx';
import { Empty } from '#web/ui/Note.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { pathOfVideo } from '#web/video/paths.ts';
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
import { UpNextWait } from './UpNextWait.tsx';
import styles from './QueueList.module.css';

interface ItemProps {
  item: QueuedVideo;
  isShown: boolean;
  place: number;
  count: number;
  /** Tells those who do not see it where it is. */
  onMoved(words: string): void;
}

function Item({ item, isShown, place, count, onMoved }: ItemProps) {
  const { t } = useLingui();
  const say = useToast();
  const { id, title } = item;
  const acts = useRef<HTMLSpanElement>(null);
  const move = (step: 1 | -1) => {
    moveInQueue(id, step);
    const now = place + step;
    onMoved(t`“${title}” is at ${now + 1} of ${count} now.`);
    // At an end its own button does nothing more; the other one leads back.
    if (now === 0 || now === count - 1)
      requestAnimationFrame(() => acts.current?.querySelector<HTMLElement>('button:enabled')?.focus());
  };
  const remove = () => {
    const before = playQueue().items;
    removeFromQueue(id);
    say(t`“${title}” is out of the queue.`, { action: { label: t`Undo`, run: () => setQueue(before) } });
  };
  return (
    <li className={`${styles.item} ${isShown ? styles.shown : ''}`} aria-current={isShown || undefined}>
      <Link to={pathOfVideo({ youtube_id: id })} className={styles.link}>
        <img src={addressOf(item.thumbnail)} alt="" width={96} height={54} loading="lazy" />
        <span className={styles.words}>
          <bdi title={title}>{title}</bdi>
          <span>
            <bdi>{item.channel}</bdi> · <span className="number">{durationText(item.durationSeconds)}</span>
          </span>
        </span>
      </Link>
      <span className={styles.acts} ref={acts}>
        <IconButton label={t`Move “${title}” up`} disabled={place === 0} onClick={() => move(-1)}>
          <IconArrowUp aria-hidden />
        </IconButton>
        <IconButton label={t`Move “${title}” down`} disabled={place === count - 1} onClick={() => move(1)}>
          <IconArrowDown aria-hidden />
        </IconButton>
        <IconButton label={t`Take “${title}” out of the queue`} onClick={remove}>
          <IconX aria-hidden />
        </IconButton>
      </span>
    </li>
  );
}

/** What is played one after the other, and in which order. */
export function QueueList({ shownId }: { shownId: string }) {
  const { t } = useLingui();
  const say = useToast();
  const { items, repeat } = usePlayQueue((queue) => queue);
  const [moved, setMoved] = useState('');
  const clear = () => {
    clearQueue();
    say(t`The queue is empty.`, { action: { label: t`Undo`, run: () => setQueue(items) } });
  };
  if (items.length === 0)
    return (
      <Empty icon={<IconPlaylist />} title={t`Nothing is queued`}>
        <Trans>Choose “Play next” or “Add to the queue” in the menu of a video, and it is played after this one.</Trans>
      </Empty>
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
        <Choices
          label={t`Repeat`}
          value={repeat}
          onChange={setRepeat}
          choices={[
            { value: 'off', label: t`Once` },
            { value: 'all', label: t`All again` },
            { value: 'one', label: t`This one again` },
          ]}
        />
        <UpNextWait />
      </div>
      <ol className={styles.list}>
        {items.map((item, place) => (
          <Item key={item.id} item={item} isShown={item.id === shownId} place={place} count={items.length} onMoved={setMoved} />
        ))}
      </ol>
      <p className="hidden" role="status">
        {moved}
      </p>
    </div>
  );
}
