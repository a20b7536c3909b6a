import { community } from '#web/community/community.ts';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconArrowRight } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { Video } from '#contract/video.ts';
import { addressOf, call } from '#web/api/call.ts';
import { dateTimeText, dayText, isoText } from '#web/format/dates.ts';
import { Button } from '#web/ui/Button.tsx';
import { buildTimeline, type Change } from './timeline.ts';
import { diffWords, onlyChanges } from './word-diff.ts';
import styles from './ChangeHistory.module.css';

type ChangedField = Change['fields'][number];

/** A text with removed words struck through and added ones underlined. */
function TextChange({ name, before, after }: { name: string } & Pick<ChangedField, 'before' | 'after'>) {
  const { t } = useLingui();
  const [isWhole, setIsWhole] = useState(false);
  const [whole, short] = useMemo(() => {
    const segments = diffWords(before, after);
    return [segments, onlyChanges(segments)];
  }, [before, after]);
  const isShortened = whole.some(({ text }, index) => text !== short[index]!.text);
  return (
    <div className={styles.field}>
      <h4>{name}</h4>
      <p className={styles.text} dir="auto">
        {(isWhole ? whole : short).map(({ kind, text }, index) => {
          if (kind === 'same') return <span key={index}>{text}</span>;
          const Mark = kind === 'removed' ? 'del' : 'ins';
          return (
            <Mark key={index}>
              <span className="hidden">{kind === 'removed' ? t`[removed:` : t`[added:`} </span>
              {text}
              <span className="hidden">]</span>
            </Mark>
          );
        })}
      </p>
      {isShortened && (
        <Button kind="quiet" size="s" className={styles.more} aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? <Trans>Show only changes</Trans> : <Trans>Show the whole text</Trans>}
        </Button>
      )}
    </div>
  );
}

/** The earlier thumbnail next to the one that replaced it. */
function ThumbnailChange({ name, before, after, day }: { name: string; day: string } & Pick<ChangedField, 'before' | 'after'>) {
  const { t } = useLingui();
  const picture = (url: string, alt: string, caption: string) => (
    <figure>
      <img src={addressOf(url)} alt={alt} loading="lazy" />
      <figcaption>{caption}</figcaption>
    </figure>
  );
  return (
    <div className={styles.field}>
      <h4>{name}</h4>
      <div className={styles.pictures}>
        {picture(before, t`Thumbnail before ${day}`, t`Before`)}
        <IconArrowRight aria-hidden />
        {picture(after, t`Thumbnail after ${day}`, t`After`)}
      </div>
    </div>
  );
}

function ChangeEntry({ change: { at, fields } }: { change: Change }) {
  const { t, i18n } = useLingui();
  const day = dayText(at);
  const names = { title: t`Title`, description: t`Description`, thumbnail: t`Thumbnail` };
  const changed = new Intl.ListFormat(i18n.locale).format(fields.map(({ field }) => names[field]));
  return (
    <li className={styles.entry}>
      <h3>
        <time dateTime={isoText(at)} title={dateTimeText(at)}>
          {day}
        </time>{' '}
        <span className={styles.muted}>{t`Changed at the source: ${changed}`}</span>
      </h3>
      {fields.map(({ field, before, after }) => {
        const texts = { name: names[field], before, after };
        return field === 'thumbnail' ? (
          <ThumbnailChange key={field} {...texts} day={day} />
        ) : (
          <TextChange key={field} {...texts} />
        );
      })}
    </li>
  );
}

/** Timeline of what the source has changed: titles and descriptions with their differences, and thumbnails. */
export function ChangeHistory({ video }: { video: Video }) {
  const { youtube_id: id, description, date_downloaded: archivedAt } = video;
  // Titles and thumbnails by viewers are no change of the source.
  const { title, vid_thumb_url: thumbnail } = { ...video, ...community?.originalOf(video) };
  const [isOpen, setIsOpen] = useState(false);
  const { data } = useQuery({
    queryKey: ['video', 'history', id],
    queryFn: ({ signal }) => call('GET /api/video/:id/history/', { params: { id }, signal }),
  });
  if (!data || data.length === 0) return null;
  const changes = buildTimeline(data, { title, description: description ?? '', thumbnail });
  const archivedOn = dayText(archivedAt);
  return (
    <details className={styles.history} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <Trans>Change history</Trans>{' '}
        <span className={styles.count}>
          <Plural value={changes.length} one="# change" other="# changes" />
        </span>
      </summary>
      {isOpen && (
        <>
          <p className={styles.legend} aria-hidden>
            <del>
              <Trans>removed</Trans>
            </del>{' '}
            <ins>
              <Trans>added</Trans>
            </ins>
          </p>
          <ol className={styles.timeline}>
            {changes.map((change) => (
              <ChangeEntry key={change.at} change={change} />
            ))}
            <li className={styles.entry}>
              <h3>
                <time dateTime={isoText(archivedAt)} title={dateTimeText(archivedAt)}>
                  {archivedOn}
                </time>{' '}
                <span className={styles.muted}>
                  <Trans>Archived</Trans>
                </span>
              </h3>
            </li>
          </ol>
        </>
      )}
    </details>
  );
}
