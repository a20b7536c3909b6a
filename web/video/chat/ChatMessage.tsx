import { Trans, useLingui } from '@lingui/react/macro';
import { memo } from 'react';
import type { ChatBadge, ChatLine } from '#contract/chat.ts';
import { durationText } from '#web/format/numbers.ts';
import { hueOf } from './find-lines.ts';
import styles from './Chat.module.css';

function BadgeName({ badge }: { badge: ChatBadge }) {
  const { t } = useLingui();
  const names = { owner: t`Channel`, mod: t`Moderator`, member: t`Member`, verified: t`Verified` };
  return (
    <>
      <span className={styles[badge]}>{names[badge]}</span>{' '}
    </>
  );
}

interface Props {
  line: ChatLine;
  hasName: boolean;
  onSeek(ms: number): void;
}

/** A message: its time seeks. All of its texts are by strangers, so they are isolated: they must not change the direction of others. */
export const ChatMessage = memo(function ChatMessage({ line, hasName, onSeek }: Props) {
  const { t, k, a, n, b = [], x, amount, removed } = line;
  const at = durationText(t / 1000);
  return (
    <div className={`${styles.message} ${styles[k]}`}>
      <button type="button" className={`${styles.time} number`} onClick={() => onSeek(t)}>
        {at}
      </button>
      <p>
        {hasName && n !== '' && (
          <>
            <bdi className={styles.name} style={{ '--hue': hueOf(a || n) } as never}>
              {n}
            </bdi>{' '}
            {b.map((badge) => (
              <BadgeName key={badge} badge={badge} />
            ))}
          </>
        )}
        {amount && (
          <>
            <bdi className={styles.amount}>{amount}</bdi>{' '}
          </>
        )}
        {removed ? (
          <em>
            <Trans>Message removed</Trans>
          </em>
        ) : (
          <bdi>{x}</bdi>
        )}
      </p>
    </div>
  );
});
