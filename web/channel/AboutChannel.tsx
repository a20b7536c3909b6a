import { useLingui } from '@lingui/react/macro';
import type { Channel } from '#contract/channel.ts';
import { agoText, dateTimeText } from '#web/format/dates.ts';
import { exactText } from '#web/format/numbers.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useIsStaff } from '#web/api/account.ts';
import { RichText } from '#web/ui/RichText.tsx';
import { Customize } from './Customize.tsx';
import { DeleteChannel } from './DeleteChannel.tsx';
import { Reindex } from '#web/subscription/Reindex.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import cards from './Customize.module.css';
import styles from './ChannelPage.module.css';

const OwnTags = lazyComponent(async () => (await import('#web/tag/OwnTags.tsx')).OwnTags);
const SourceRules = lazyComponent(async () => (await import('#web/rules/SourceRules.tsx')).SourceRules);

/** About tab of a channel: description, facts, and for staff its rules, settings and maintenance. */
export function AboutChannel({ channel }: { channel: Channel }) {
  const { t } = useLingui();
  const isStaff = useIsStaff();
  const facts: [name: string, value: string, exact?: string][] = [
    [t`Subscribers`, exactText(channel.channel_subs)],
    [t`Source`, channel.channel_active ? t`Active` : t`Deactivated`],
    [t`Last refreshed`, agoText(channel.channel_last_refresh), dateTimeText(channel.channel_last_refresh)],
    [t`Channel ID`, channel.channel_id],
  ];
  return (
    <div className={styles.about}>
      {channel.channel_description ? (
        <RichText text={channel.channel_description} durationSeconds={0} onSeek={() => {}} foldAfter={8} />
      ) : (
        <p className={styles.muted}>{t`No description.`}</p>
      )}
      <dl>
        {facts.map(([name, value, exact]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd title={exact}>{value}</dd>
          </div>
        ))}
      </dl>
      {channel.channel_tags && channel.channel_tags.length > 0 && (
        <ul className={styles.tags} aria-label={t`Tags`}>
          {channel.channel_tags.map((tag) => (
            <li key={tag}>
              <bdi>{tag}</bdi>
            </li>
          ))}
        </ul>
      )}
      <OwnTags target={{ channel: channel.channel_id }} fallback={<Skeleton height={64} />} />
      {isStaff && (
        <>
          <section className={cards.card} aria-labelledby="rules">
            <h2 id="rules">{t`Rules`}</h2>
            <SourceRules source={{ type: 'channel', id: channel.channel_id }} fallback={<Skeleton height={110} />} />
          </section>
          <Customize channel={channel} />
          <section className={styles.maintenance} aria-label={t`Maintenance`}>
            <Reindex what={{ channel: [channel.channel_id] }}>{t`Reindex`}</Reindex>
            <Reindex what={{ channel: [channel.channel_id] }} withVideos>
              {t`Refresh all videos’ metadata`}
            </Reindex>
            <DeleteChannel channel={channel} />
          </section>
        </>
      )}
    </div>
  );
}
