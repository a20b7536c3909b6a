import { Trans, useLingui } from '@lingui/react/macro';
import { IconAlertTriangle, IconBroadcast, IconLoader2, IconMovie, IconPlaylist, IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import { addressOf } from '#web/api/call.ts';
import { useConfig } from '#web/api/account.ts';
import type { ResolvedItem } from '#web/api/queries/resolve.ts';
import { durationText, exactText, lengthText, sizeText, videosText } from '#web/format/numbers.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { adviceFor } from '#web/runs/failure-advice.ts';
import { TextWithLinks } from '#web/settings-pages/TextWithLinks.tsx';
import { IconButton } from '#web/ui/Button.tsx';
import { isList } from './plan-actions.ts';
import { pathOf } from './use-add-actions.ts';
import styles from './AddBox.module.css';

const icons = { video: IconMovie, page: IconMovie, playlist: IconPlaylist, channel: IconBroadcast };

function Picture({ item: { picture, what } }: { item: ResolvedItem }) {
  const Icon = icons[what];
  return (
    <span className={`${styles.picture} ${what === 'channel' ? styles.round : ''}`} aria-hidden>
      {picture ? <img src={addressOf(picture)} alt="" /> : <Icon />}
    </span>
  );
}

function Problem({ problem: { message, messages, failure } }: { problem: NonNullable<ResolvedItem['problem']> }) {
  const { t } = useLingui();
  const advice = adviceFor(failure ?? undefined);
  return (
    <p className={styles.problem}>
      <IconAlertTriangle aria-hidden />
      <span>
        <TextWithLinks text={messageText(messages, message)} /> {advice && <Link to={advice.to}>{t(advice.words)}</Link>}
      </span>
    </p>
  );
}

/** Number of videos of a list: `12 videos`, `500+ videos`. */
export function useCountText() {
  const { t } = useLingui();
  return ({ count, count_is_more: isMore }: ResolvedItem) => {
    if (count === null) return null;
    return isMore ? t`${exactText(count)}+ videos` : videosText(count);
  };
}

function useFacts(item: ResolvedItem) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const countText = useCountText();
  const { channel_name: channel, duration_seconds: seconds, estimated_bytes: bytes, lookup } = item;
  const isListed = isList(item);
  const size = bytes === null ? null : sizeText(bytes, unit);
  return [
    channel && <bdi key="channel">{channel}</bdi>,
    lookup === 'skipped' ? t`not looked up` : countText(item),
    // The length of a list is unknown until it is counted.
    seconds && (!isListed || lookup !== 'running') ? (isListed ? lengthText(seconds) : durationText(seconds)) : null,
    size && lookup !== 'running' && (item.state === 'archived' ? size : t`about ${size}`),
  ].filter(Boolean);
}

function useStateText() {
  const { t } = useLingui();
  const texts = { archived: t`In the archive`, queued: t`In the queue`, ignored: t`Ignored`, subscribed: t`Subscribed` };
  return (state: ResolvedItem['state']) => (state in texts ? texts[state as keyof typeof texts] : null);
}

/** What one link points to. */
export function PreviewItem({ item, onOpen, onRemove }: { item: ResolvedItem; onOpen(): void; onRemove: (() => void) | null }) {
  const { t } = useLingui();
  const facts = useFacts(item);
  const state = useStateText()(item.state);
  const name = item.name ?? item.text;
  const path = pathOf(item);
  return (
    <li className={styles.item}>
      <Picture item={item} />
      <div className={styles.about}>
        <p className={styles.name}>
          {path ? (
            <Link to={path} onClick={onOpen}>
              <bdi>{name}</bdi>
            </Link>
          ) : (
            <bdi>{name}</bdi>
          )}
        </p>
        <p className={styles.facts}>
          {state && <span className={styles.state}>{state}</span>}
          {facts.map((fact, index) => (
            <span key={index}>{fact}</span>
          ))}
          {item.lookup === 'running' && (
            <span className={styles.running}>
              <IconLoader2 aria-hidden /> {item.count === null ? <Trans>Looking it up…</Trans> : <Trans>Counting…</Trans>}
            </span>
          )}
        </p>
        {item.problem && <Problem problem={item.problem} />}
      </div>
      {onRemove && (
        <IconButton label={t`Remove ${name}`} onClick={onRemove}>
          <IconX aria-hidden />
        </IconButton>
      )}
    </li>
  );
}
