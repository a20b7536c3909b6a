import { Plural, Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { ChatMessage } from './ChatMessage.tsx';
import { matchesQuery } from './chat-queries.ts';
import styles from './Chat.module.css';

interface Props {
  id: string;
  query: string;
  hasNames: boolean;
  onSeek(ms: number): void;
}

/** Messages that contain words. Their times seek. */
export function ChatMatches({ id, query, hasNames, onSeek }: Props) {
  return (
    <QueryBoundary query={useQuery(matchesQuery(id, query))} skeleton={120}>
      {({ matches, has_more: hasMore }) => (
        <div className={styles.replay}>
          <p className={styles.muted} role="status">
            {hasMore ? (
              <Trans>The first {matches.length} matches</Trans>
            ) : (
              <Plural value={matches.length} _0="No match in this chat" one="# match" other="# matches" />
            )}
          </p>
          <div className={styles.lines}>
            {matches.map(({ t, name, text }, place) => (
              <ChatMessage
                key={place}
                line={{ t, k: 'text', id: String(place), a: '', n: name, x: text }}
                hasName={hasNames}
                onSeek={onSeek}
              />
            ))}
          </div>
        </div>
      )}
    </QueryBoundary>
  );
}
