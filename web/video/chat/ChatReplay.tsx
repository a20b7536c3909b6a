import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { chatChunkMs, type ChatLine } from '#contract/chat.ts';
import type { Api } from '#contract/api.ts';
import type { Reply } from '#contract/endpoint.ts';
import { mediaElement } from '#web/player/state/player-store.ts';
import { Button } from '#web/ui/Button.tsx';
import { ChatMessage } from './ChatMessage.tsx';
import { chunkQuery } from './chat-queries.ts';
import { linesAt } from './find-lines.ts';
import styles from './Chat.module.css';

const lookMs = 250;

/** Time of the stream at the current position, in milliseconds. `offsetMs`: how much earlier the chat is shown. */
function useStreamTime(offsetMs: number): number {
  const [ms, setMs] = useState(0);
  useEffect(() => {
    const look = () => setMs(Math.max(0, Math.round(1000 * (mediaElement()?.currentTime ?? 0) + offsetMs)));
    look();
    // The media element may be created later.
    const timer = setInterval(look, lookMs);
    return () => clearInterval(timer);
  }, [offsetMs]);
  return ms;
}

interface Props {
  id: string;
  chat: Reply<Api['GET /api/video/:id/chat/']>;
  offsetMs: number;
  hasNames: boolean;
  onSeek(ms: number): void;
}

const nothing: ChatLine[] = [];

/** The last messages at the current position. They follow playback until the user scrolls up. */
export function ChatReplay({ id, chat, offsetMs, hasNames, onSeek }: Props) {
  const { t } = useLingui();
  const ms = useStreamTime(offsetMs);
  const n = Math.floor(ms / chatChunkMs);
  const numbers = new Set(chat.chunks.map((chunk) => chunk.n));
  const part = (number: number, isAsked: boolean) => ({
    ...chunkQuery(id, number, chat.fetched_at),
    enabled: isAsked && numbers.has(number),
  });
  const current = useQuery(part(n, true));
  useQuery(part(n + 1, true));
  // Only if it was loaded while it was current.
  const earlier = useQuery(part(n - 1, false)).data ?? nothing;
  const found = linesAt(earlier, current.data ?? nothing, ms);
  // What a reader looks at stays while the video goes on.
  const [kept, setKept] = useState<readonly ChatLine[] | null>(null);
  const lines = kept ?? found;
  const box = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- its functions change with the list and are not memoized
  const list = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => 30,
    overscan: 8,
    getItemKey: (index) => lines[index]!.id,
  });
  const last = lines.at(-1)?.id;
  const showLast = useEffectEvent(() => {
    if (!kept && lines.length > 0) list.scrollToIndex(lines.length - 1, { align: 'end' });
  });
  useEffect(() => showLast(), [last]);
  const stop = () => setKept((before) => before ?? found);
  const onWheel = (deltaY: number) => {
    const { scrollTop = 0 } = box.current ?? {};
    if (deltaY < 0 && scrollTop > 0) stop();
  };
  const isEmpty = lines.length === 0 && !current.isFetching;
  return (
    <div className={styles.replay}>
      <div
        ref={box}
        className={styles.lines}
        role="log"
        aria-live="off"
        tabIndex={0}
        aria-label={t`Messages`}
        onWheel={({ deltaY }) => onWheel(deltaY)}
        onTouchMove={stop}
        onKeyDown={({ key }) => /^(PageUp|ArrowUp|Home)$/.test(key) && stop()}
      >
        {isEmpty && (
          <p className={styles.none}>
            <Trans>No messages yet at this point.</Trans>
          </p>
        )}
        <div style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map(({ index, start, key }) => (
            <div key={key} ref={list.measureElement} data-index={index} style={{ translate: `0 ${start}px` }}>
              <ChatMessage line={lines[index]!} hasName={hasNames} onSeek={onSeek} />
            </div>
          ))}
        </div>
      </div>
      {kept && (
        <Button size="s" className={styles.follow} onClick={() => setKept(null)}>
          <Trans>Follow video</Trans>
        </Button>
      )}
    </div>
  );
}
