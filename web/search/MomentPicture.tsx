import type { SpokenHit } from '#contract/search.ts';
import { addressOf } from '#web/api/call.ts';
import styles from './MomentPicture.module.css';

/** The picture of a spoken moment, cut out of the storyboard; the thumbnail of a video without one. Fills the width. */
export function MomentPicture({ hit: { subtitle_picture: picture, vid_thumb_url: thumbnail } }: { hit: SpokenHit }) {
  if (!picture)
    return (
      <span className={styles.frame}>
        <img src={addressOf(thumbnail)} alt="" loading="lazy" decoding="async" className={styles.thumbnail} />
      </span>
    );
  const { sheet_url, sheet_width, x, y, width, height } = picture;
  return (
    <span className={styles.frame} style={{ aspectRatio: `${width} / ${height}` }} dir="ltr">
      <img
        src={addressOf(sheet_url)}
        alt=""
        loading="lazy"
        decoding="async"
        className={styles.sheet}
        style={{ width: `${(sheet_width / width) * 100}%`, left: `${(-x / width) * 100}%`, top: `${(-y / height) * 100}%` }}
      />
    </span>
  );
}
