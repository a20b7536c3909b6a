import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconPlayerPlayFilled } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import type { FoundVideo, Moment } from '#contract/search.ts';
import { addressOf } from '#web/api/call.ts';
import { pathOfChannel, pathOfSimilarMoments, pathOfVideo } from '#web/api/paths.ts';
import { momentsQuery } from '#web/api/queries/search.ts';
import { community } from '#web/community/community.ts';
import { agoText } from '#web/format/dates.ts';
import { languageName } from '#web/format/language-name.ts';
import { durationText, exactText, lengthText } from '#web/format/numbers.ts';
import { RelativeTime } from '#web/format/RelativeTime.tsx';
import { Button } from '#web/ui/Button.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { splitAtRanges, startAtMatch } from './highlight.ts';
import { MarkedText } from './MarkedText.tsx';
import { kindTexts } from './moment-kinds.ts';
import { MomentPicture } from './MomentPicture.tsx';
import type { Search } from './use-search.ts';
import styles from './FoundVideos.module.css';

/** Moments of a video that are visible at first. */
const mostMoments = 3;

/** The current title is the heading. */
const isRow = ({ kind, is_former }: Moment) => kind !== 'title' || is_former;
const keyOf = ({ kind, start, lang, comment_id, text }: Moment) => JSON.stringify([kind, start, lang, comment_id, text]);

function pathOfMoment(video: FoundVideo, { kind, start, comment_id }: Moment) {
  if (comment_id !== null) return `${pathOfVideo(video)}#comment-${encodeURIComponent(comment_id)}`;
  const query = new URLSearchParams({
    ...(kind === 'note' && { side: 'notes' }),
    ...(start !== null && { t: String(Math.floor(start)) }),
  }).toString();
  return `${pathOfVideo(video)}${query && `?${query}`}`;
}

interface MomentProps {
  video: FoundVideo;
  moment: Moment;
  onPlay(seconds: number): void;
}

/** A moment: its picture plays it here, everything else opens it on the page of the video. */
function MomentRow({ video, moment, onPlay }: MomentProps) {
  const { t, i18n } = useLingui();
  const id = useId();
  const { kind, start, text, ranges, lang, author, picture } = moment;
  const { icon: Icon, one } = kindTexts[kind];
  const time = start === null ? '' : durationText(Math.floor(start));
  const language = lang === null ? '' : languageName(lang, i18n.locale);
  return (
    <li className={styles.moment}>
      <div className={styles.words}>
        <p className={styles.facts}>
          <Link to={pathOfMoment(video, moment)} className={styles.badge} aria-describedby={id}>
            <Icon aria-hidden /> {t(one)} {time && <span className="number">{time}</span>}
          </Link>
          {author !== null && <bdi className={styles.author}>{author}</bdi>}
          {language && <span>{moment.is_generated ? t`${language} (generated)` : language}</span>}
          {!language && moment.is_generated && (
            <span>
              <Trans>Generated</Trans>
            </span>
          )}
          {moment.is_similar && start !== null && (
            <Link to={pathOfSimilarMoments(video.youtube_id, start)} className={styles.similar} aria-describedby={id}>
              <Trans>Similar moments</Trans>
            </Link>
          )}
        </p>
        <p id={id} className={styles.text} dir="auto" {...(lang !== null && { lang })}>
          <MarkedText segments={startAtMatch(splitAtRanges(text, ranges))} />
        </p>
      </div>
      {start !== null && (
        <button
          type="button"
          className={styles.picture}
          aria-label={t`Play here from ${time}`}
          onClick={() => onPlay(Math.floor(start))}
        >
          <MomentPicture picture={picture} thumbnail={video.thumb} />
          <IconPlayerPlayFilled aria-hidden />
        </button>
      )}
    </li>
  );
}

/** Moments after the first ones of a video: those with a time in order, then the others. */
function OtherMoments({ video, search, onPlay }: { video: FoundVideo; search: Search; onPlay(seconds: number): void }) {
  const query = useQuery(momentsQuery({ ...search.moments, page: undefined, video: video.youtube_id }));
  const known = new Set(video.moments.map(keyOf));
  return (
    <QueryBoundary query={query} skeleton={64}>
      {({ videos }) =>
        (videos[0]?.moments ?? [])
          .filter((moment) => isRow(moment) && !known.has(keyOf(moment)))
          .toSorted((a, b) => (a.start ?? Infinity) - (b.start ?? Infinity) || 0)
          .map((moment) => <MomentRow key={keyOf(moment)} video={video} moment={moment} onPlay={onPlay} />)
      }
    </QueryBoundary>
  );
}

/** A video with the moments found in it. */
function FoundEntry({ video, search }: { video: FoundVideo; search: Search }) {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  const { youtube_id: id, title, duration } = video;
  const rows = video.moments.filter(isRow);
  const more = video.more + Math.max(0, rows.length - mostMoments);
  const sign = community?.signOf(video);
  // Ranges are those of the original title.
  const ranges = sign ? [] : (video.moments.find((moment) => !isRow(moment))?.ranges ?? []);
  const play = (seconds: number) => search.put({ page: search.search.get('page'), videoId: id, t: String(seconds) }, true);
  return (
    <article className={styles.video} aria-label={title}>
      <Link to={pathOfVideo(video)} className={styles.thumbnail} tabIndex={-1} aria-hidden>
        <img src={addressOf(video.thumb)} alt="" loading="lazy" decoding="async" />
        <span className={`${styles.duration} number`}>{durationText(duration)}</span>
      </Link>
      <div className={styles.head}>
        <h3 className={styles.title} title={title}>
          <Link to={pathOfVideo(video)}>
            {sign}
            <bdi>
              <MarkedText segments={splitAtRanges(title, ranges)} />
            </bdi>
          </Link>
        </h3>
        <p className={styles.facts}>
          <Link to={pathOfChannel(video.channel_id)}>
            <bdi>{video.channel}</bdi>
          </Link>
          <RelativeTime at={video.published}>{agoText(video.published)}</RelativeTime>
          <span className="hidden">{lengthText(duration)}</span>
        </p>
      </div>
      {(rows.length > 0 || more > 0) && (
        <div className={styles.found}>
          <ul className={styles.moments} aria-label={t`Matches in “${title}”`}>
            {(isOpen ? rows : rows.slice(0, mostMoments)).map((moment) => (
              <MomentRow key={keyOf(moment)} video={video} moment={moment} onPlay={play} />
            ))}
            {isOpen && video.more > 0 && <OtherMoments video={video} search={search} onPlay={play} />}
          </ul>
          {more > 0 && (
            <Button size="s" kind="quiet" className={styles.more} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
              {isOpen ? t`Show fewer` : t`${exactText(more)} more in this video`}
            </Button>
          )}
        </div>
      )}
    </article>
  );
}

/** Videos that match, each with its moments. */
export function FoundVideos({ videos, search }: { videos: FoundVideo[]; search: Search }) {
  return (
    <ul className={styles.videos}>
      {videos.map((video) => (
        <li key={video.youtube_id}>
          <FoundEntry video={video} search={search} />
        </li>
      ))}
    </ul>
  );
}
