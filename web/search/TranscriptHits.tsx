import { useLingui } from '@lingui/react/macro';
import { IconPlayerPlayFilled } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { SpokenHit } from '#contract/search.ts';
import { languageName } from '#web/format/language-name.ts';
import { durationText } from '#web/format/numbers.ts';
import { pathOfChannel, pathOfVideo } from '#web/api/paths.ts';
import { parseHighlights, parseClock } from './highlight.ts';
import { MarkedText } from './MarkedText.tsx';
import { MomentPicture } from './MomentPicture.tsx';
import type { Search } from './use-search.ts';
import styles from './TranscriptHits.module.css';

/** A spoken moment: its picture plays it here, everything else opens the page of the video at that second. */
function Moment({ hit, onPlay }: { hit: SpokenHit; onPlay(seconds: number): void }) {
  const { t, i18n } = useLingui();
  const at = parseClock(hit.subtitle_hit_start);
  const time = durationText(at);
  const until = durationText(parseClock(hit.subtitle_end));
  return (
    <li className={styles.moment}>
      <button type="button" className={styles.picture} aria-label={t`Play here from ${time}`} onClick={() => onPlay(at)}>
        <MomentPicture picture={hit.subtitle_picture} thumbnail={hit.vid_thumb_url} />
        <IconPlayerPlayFilled aria-hidden />
        <span className={`${styles.badge} number`} aria-hidden>
          {time}
        </span>
      </button>
      <div className={styles.spoken}>
        <p className={styles.text} lang={hit.subtitle_lang} dir="auto">
          <span className={styles.context}>{hit.subtitle_before.join(' ')} </span>
          <MarkedText segments={parseHighlights(hit.subtitle_line)} />
          <span className={styles.context}> {hit.subtitle_after.join(' ')}</span>
        </p>
        <p className={`${styles.facts} number`}>
          <Link to={`${pathOfVideo(hit)}?t=${at}`} className={styles.time}>
            {time}–{until}
          </Link>
          <span>{languageName(hit.subtitle_lang, i18n.locale)}</span>
        </p>
      </div>
    </li>
  );
}

/** Transcript matches as moments, grouped by video. */
export function TranscriptHits({ hits, search }: { hits: SpokenHit[]; search: Search }) {
  const { t } = useLingui();
  const byVideo = [...Map.groupBy(hits, (hit) => hit.youtube_id).values()];
  return (
    <ul className={styles.videos}>
      {byVideo.map((found) => {
        const video = found[0]!;
        return (
          <li key={video.youtube_id}>
            <div className={styles.head}>
              <h3>
                <Link to={pathOfVideo(video)}>
                  <bdi>{video.title}</bdi>
                </Link>
              </h3>
              <Link to={pathOfChannel(video.subtitle_channel_id)} className={styles.channel}>
                <bdi>{video.subtitle_channel}</bdi>
              </Link>
            </div>
            <ol className={styles.moments} aria-label={t`Transcript matches in “${video.title}”`}>
              {found
                .toSorted((a, b) => parseClock(a.subtitle_hit_start) - parseClock(b.subtitle_hit_start))
                .map((hit) => (
                  <Moment
                    key={hit.subtitle_fragment_id}
                    hit={hit}
                    onPlay={(seconds) =>
                      search.put({ page: search.search.get('page'), videoId: hit.youtube_id, t: String(seconds) }, true)
                    }
                  />
                ))}
            </ol>
          </li>
        );
      })}
    </ul>
  );
}
