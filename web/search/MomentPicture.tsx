import type { SpokenHit } from '#contract/search.ts';
import { addressOf } from '#web/api/call.ts';
import styles from './MomentPicture.module.css';

interface Props {
  picture: SpokenHit['subtitle_picture'];
  thumbnail: string;
}

/** The picture of a moment, cut out of the storyboard; the thumbnail of a video without one. Fills the width. */
export function MomentPicture({ picture, thumbnail }: Props) {
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
