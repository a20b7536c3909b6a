import type { Channel } from '#contract/channel.ts';
import { addressOf } from '#web/api/call.ts';
import styles from './Avatar.module.css';

/** Picture of a channel, or its first letter. */
export function Avatar({
  channel,
  size,
}: {
  channel: Pick<Channel, 'channel_name' | 'channel_thumb_url' | 'channel_art'>;
  size: number;
}) {
  const { channel_name: name, channel_thumb_url: url, channel_art: art } = channel;
  return (
    <span className={styles.avatar} style={{ width: size, height: size, fontSize: size * 0.42 }} aria-hidden>
      {art.includes('thumb') ? (
        <img src={addressOf(url)} alt="" loading="lazy" width={size} height={size} />
      ) : (
        [...name][0]?.toUpperCase()
      )}
    </span>
  );
}
