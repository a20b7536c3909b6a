import { useLingui } from '@lingui/react/macro';
import { IconPlayerPlay } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { SpokenHit } from '#contract/search.ts';
import { addressOf } from '#web/api/call.ts';
import { decimalText, durationText } from '#web/format/numbers.ts';
import { IconButton } from '#web/ui/Button.tsx';
import { pathOfChannel, pathOfVideo } from '#web/video/paths.ts';
import { piecesOf, secondsAt } from './marked.ts';
import type { Search } from './use-search.ts';
import styles from './Spoken.module.css';

function Line({ hit, onPlay }: { hit: SpokenHit; onPlay(seconds: number): void }) {
  const { t } = useLingui();
  const at = secondsAt(hit.subtitle_hit_start);
  const time = durationText(at);
  const until = durationText(secondsAt(hit.subtitle_end));
  const { _score: exactly } = hit;
  const score = decimalText(exactly, 1);
  return (
    <li className={styles.hit}>
      <span className={styles.times}>
        <Link
          to={`${pathOfVideo(hit)}?t=${at}`}
          className={`${styles.time} number`}
          title={t`Until ${until} · score ${score} · ${hit.subtitle_lang}`}
        >
          {time}
        </Link>
        <IconButton label={t`Play here from ${time}`} onClick={() => onPlay(at)}>
          <IconPlayerPlay aria-hidden />
        </IconButton>
      </span>
      <p className={styles.words} lang={hit.subtitle_lang} dir="auto">
        <span className={styles.around}>{hit.subtitle_before.join(' ')} </span>
        {piecesOf(hit.subtitle_line).map(({ text, isMarked }, place) =>
          isMarked ? <mark key={place}>{text}</mark> : <span key={place}>{text}</span>,
        )}
        <span className={styles.around}> {hit.subtitle_after.join(' ')}</span>
      </p>
    </li>
  );
}

/** What is spoken, video by video, with the lines around; a click goes to the very second. */
export function Spoken({ hits, search }: { hits: SpokenHit[]; search: Search }) {
  const { t } = useLingui();
  const byVideo = [...Map.groupBy(hits, (hit) => hit.youtube_id).values()];
  return (
    <ul className={styles.videos}>
      {byVideo.map((found) => {
        const video = found[0]!;
        return (
          <li key={video.youtube_id} className={styles.video}>
            <Link to={pathOfVideo(video)} tabIndex={-1} aria-hidden className={styles.picture}>
              <img src={addressOf(video.vid_thumb_url)} alt="" loading="lazy" />
            </Link>
            <div className={styles.found}>
              <h3>
                <Link to={pathOfVideo(video)}>
                  <bdi>{video.title}</bdi>
                </Link>
              </h3>
              <p className={styles.channel}>
                <Link to={pathOfChannel(video.subtitle_channel_id)}>
                  <bdi>{video.subtitle_channel}</bdi>
                </Link>
              </p>
              <ol aria-label={t`Spoken in “${video.title}”`}>
                {found
                  .toSorted((a, b) => secondsAt(a.subtitle_hit_start) - secondsAt(b.subtitle_hit_start))
                  .map((hit) => (
                    <Line
                      key={hit.subtitle_fragment_id}
                      hit={hit}
                      onPlay={(seconds) => search.put({ videoId: hit.youtube_id, t: String(seconds) }, true)}
                    />
                  ))}
              </ol>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
