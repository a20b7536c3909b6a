import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconChevronRight } from '@tabler/icons-react';
import { useId } from 'react';
import { Link } from 'react-router';
import { suggestionsQuery } from '#web/api/queries/suggestions.ts';
import { pathOfFilter } from '#web/api/queries/video-filter.ts';
import { videosText } from '#web/format/numbers.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { conditionsOf } from '#web/video/cleanup/watched-rule.ts';
import { WatchedRuleButton } from '#web/video/cleanup/WatchedRuleButton.tsx';
import { useSuggestions } from './suggestions.ts';
import card from './Dashboard.module.css';
import styles from './FreeUpSpace.module.css';

const MoreSuggestions = lazyComponent(async () => (await import('./MoreSuggestions.tsx')).MoreSuggestions);

/** Lists of videos to delete, with number and size, each with a rule that keeps doing it. Nothing is deleted without a question. */
export function FreeUpSpace() {
  const { t } = useLingui();
  const heading = useId();
  const rows = useSuggestions() ?? [];
  const more = useQuery(suggestionsQuery).data;
  const hasMore = more !== undefined && (more.same_videos.count > 0 || more.unwatched_channels.count > 0 || more.copies !== null);
  if (rows.length === 0 && !hasMore) return null;
  return (
    <section className={`${card.card} ${card.wide}`} aria-labelledby={heading}>
      <h2 id={heading}>
        <Trans>Free up space</Trans>
      </h2>
      {rows.length > 0 && (
        <>
          <p className={styles.note}>
            <Trans>
              Videos that are not protected, in no custom playlist and not in progress for any user. Check each list before you
              delete it.
            </Trans>
          </p>
          <ul>
            {rows.map(({ filter, name, videos, size }) => {
              const conditions = conditionsOf(filter);
              return (
                <li key={name} className={styles.row}>
                  <Link to={pathOfFilter({ ...filter, sort: 'mediasize' })} className={styles.suggestion}>
                    <span>{name}</span>
                    <span className={`${styles.amount} number`}>
                      {videosText(videos)} · <strong>{size}</strong>
                    </span>
                    <IconChevronRight aria-hidden />
                  </Link>
                  {conditions && (
                    <WatchedRuleButton
                      label={t`Delete automatically…`}
                      name={t`Delete automatically: ${name}`}
                      conditions={conditions}
                    />
                  )}
                </li>
              );
            })}
          </ul>
        </>
      )}
      {hasMore && <MoreSuggestions suggestions={more} />}
    </section>
  );
}
