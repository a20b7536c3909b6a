import { Trans, useLingui } from '@lingui/react/macro';
import { IconChevronRight } from '@tabler/icons-react';
import { useId } from 'react';
import { Link } from 'react-router';
import { pathOfFilter } from '#web/api/queries/video-filter.ts';
import { videosText } from '#web/format/numbers.ts';
import { conditionsOf } from '#web/video/cleanup/watched-rule.ts';
import { WatchedRuleButton } from '#web/video/cleanup/WatchedRuleButton.tsx';
import { useSuggestions } from './suggestions.ts';
import card from './Dashboard.module.css';
import styles from './FreeUpSpace.module.css';

/** Lists of videos to delete, with number and size, each with a rule that keeps doing it. Nothing is deleted from here. */
export function FreeUpSpace() {
  const { t } = useLingui();
  const heading = useId();
  const rows = useSuggestions() ?? [];
  if (rows.length === 0) return null;
  return (
    <section className={`${card.card} ${card.wide}`} aria-labelledby={heading}>
      <h2 id={heading}>
        <Trans>Free up space</Trans>
      </h2>
      <p className={styles.note}>
        <Trans>
          Videos that are not protected, in no custom playlist and not in progress for any user. Check each list before you delete
          it.
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
    </section>
  );
}
