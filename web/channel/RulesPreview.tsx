import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { sizeText } from '#web/format/numbers.ts';
import { Note } from '#web/ui/Note.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useConfig } from '#web/user/queries.ts';
import { rulesPreview, type OwnRules, type Rules } from './rules.ts';
import styles from './ChannelRules.module.css';

const whys: Record<keyof Rules, MessageDescriptor> = {
  title_include: msg`without the words in the title`,
  title_exclude: msg`with words that are left out`,
  min_seconds: msg`too short`,
  max_seconds: msg`too long`,
  published_after: msg`published before that day`,
  skip_members_only: msg`for members only`,
  keep_newest: msg`not among the newest`,
  keep_days: msg`older than what is kept`,
};

/** What rules would bring of all that is known of the channel, what they would leave out and why, and what they would delete. */
export function RulesPreview({ id, own }: { id: string; own: OwnRules }) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const { data, error, isPlaceholderData } = useQuery(rulesPreview(id, own));
  if (error) return <Note kind="danger">{error.message}</Note>;
  if (!data) return <Skeleton height={48} />;
  const { taken, left_out, reasons, examples, leaving_total, leaving_size } = data;
  const known = taken + left_out;
  const size = sizeText(leaving_size, unit);
  return (
    <div className={styles.preview} role="status" aria-busy={isPlaceholderData}>
      <p>
        {known === 0 ? (
          <Trans>Nothing is known of this channel yet; a scan tells what there is.</Trans>
        ) : (
          <strong>
            <Plural
              value={known}
              one={`These rules would take ${taken} of # video that is known of this channel.`}
              other={`These rules would take ${taken} of # videos that are known of this channel.`}
            />
          </strong>
        )}
      </p>
      {reasons.length > 0 && (
        <ul>
          {reasons.map(({ rule, sentence, count }) => (
            <li key={rule}>
              {count} {Object.hasOwn(whys, rule) ? t(whys[rule as keyof Rules]) : sentence}
            </li>
          ))}
        </ul>
      )}
      {examples.length > 0 && (
        <details>
          <summary>
            <Trans>Some that are left out</Trans>
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
      {leaving_total > 0 && (
        <Note kind="danger">
          <Plural
            value={leaving_total}
            one={`# video (${size}) of the archive would be deleted at the next round.`}
            other={`# videos (${size}) of the archive would be deleted at the next round.`}
          />
        </Note>
      )}
    </div>
  );
}
