import type { Channel } from '#contract/channel.ts';
import { addressOf } from '#web/api/call.ts';
import styles from './Avatar.module.css';

/** The face of a channel, or its first letter. */
export function Avatar({ channel, size }: { channel: Pick<Channel, 'channel_name' | 'channel_thumb_url'>; size: number }) {
  const { channel_name: name, channel_thumb_url: url } = channel;
  return (
    <span className={styles.face} style={{ width: size, height: size, fontSize: size * 0.42 }} aria-hidden>
      {url ? <img src={addressOf(url)} alt="" loading="lazy" width={size} height={size} /> : [...name][0]?.toUpperCase()}
    </span>
  );
}
