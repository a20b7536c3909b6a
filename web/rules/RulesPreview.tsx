import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { sizeText } from '#web/format/numbers.ts';
import { Callout } from '#web/ui/Callout.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useConfig } from '#web/api/account.ts';
import { rulesPreviewQuery, type OwnRules, type Rules, type Source } from './rules.ts';
import styles from './SourceRules.module.css';

const reasonLabels: Record<keyof Rules, MessageDescriptor> = {
  title_include: msg`title doesn’t match`,
  title_exclude: msg`title contains excluded words`,
  min_seconds: msg`too short`,
  max_seconds: msg`too long`,
  published_after: msg`published before the set date`,
  skip_members_only: msg`members only`,
  keep_newest: msg`not among the newest`,
  keep_days: msg`older than the limit`,
};

/** Shows how many known videos the rules would download or skip, and how many archived videos they would delete. */
export function RulesPreview({ source, own }: { source: Source; own: OwnRules }) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const { data, error, isPlaceholderData } = useQuery(rulesPreviewQuery(source, own));
  if (error) return <Callout kind="danger">{error.message}</Callout>;
  if (!data) return <Skeleton height={48} />;
  const { taken, left_out, reasons, examples, expiring_total, expiring_size } = data;
  const known = taken + left_out;
  const size = sizeText(expiring_size, unit);
  return (
    <div className={styles.preview} role="status" aria-busy={isPlaceholderData}>
      <p>
        {known === 0 ? (
          <Trans>Nothing known yet. The next scan shows it.</Trans>
        ) : (
          <strong>
            <Plural
              value={known}
              one={`${taken} of # known video matches these rules.`}
              other={`${taken} of # known videos match these rules.`}
            />
          </strong>
        )}
      </p>
      {reasons.length > 0 && (
        <ul>
          {reasons.map(({ rule, sentence, count }) => (
            <li key={rule}>
              {count} – {Object.hasOwn(reasonLabels, rule) ? t(reasonLabels[rule as keyof Rules]) : sentence}
            </li>
          ))}
        </ul>
      )}
      {examples.length > 0 && (
        <details>
          <summary>
            <Trans>Show skipped videos</Trans>
          </summary>
          <ul>
            {examples.map(({ youtube_id, title }) => (
              <li key={youtube_id}>
                <bdi>{title}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
      {expiring_total > 0 && (
        <Callout kind="danger">
          <Plural
            value={expiring_total}
            one={`# archived video (${size}) will be deleted the next time rules run.`}
            other={`# archived videos (${size}) will be deleted the next time rules run.`}
          />
        </Callout>
      )}
    </div>
  );
}
