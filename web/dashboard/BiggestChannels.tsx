import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Api } from '#contract/api.ts';
import type { Reply } from '#contract/endpoint.ts';
import { exactText, lengthText, sizeText } from '#web/format/numbers.ts';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { useConfig } from '#web/api/account.ts';
import { pathOfChannel } from '#web/api/paths.ts';
import styles from './Dashboard.module.css';
import { biggest } from '#web/api/queries/stats.ts';

type Channel = Reply<Api['GET /api/stats/biggestchannels/']>[number];
type Order = 'doc_count' | 'duration' | 'media_size';

function RankedChannels({ order, title, textOf }: { order: Order; title: string; textOf(channel: Channel): string }) {
  const { t } = useLingui();
  const query = useQuery(biggest(order));
  return (
    <QueryBoundary query={query} skeleton={300}>
      {(channels) => {
        const maxValue = Math.max(1, channels[0]?.[order] ?? 1);
        return (
          <table className={styles.biggest}>
            <caption>{title}</caption>
            <thead className="hidden">
              <tr>
                <th scope="col">{t`Channel`}</th>
                <th scope="col">{title}</th>
              </tr>
            </thead>
            <tbody>
              {channels.map((channel) => (
                <tr key={channel.id}>
                  <th scope="row">
                    <Link to={pathOfChannel(channel.id)}>
                      <bdi>{channel.name}</bdi>
                    </Link>
                  </th>
                  <td className="number">
                    <span className={styles.share} style={{ inlineSize: `${(channel[order] / maxValue) * 100}%` }} aria-hidden />
                    <span>{textOf(channel)}</span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        );
      }}
    </QueryBoundary>
  );
}

/** The ten largest channels by videos, duration and size. */
export function BiggestChannels() {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  if (useQuery(biggest('doc_count')).data?.length === 0) return null;
  return (
    <section className={`${styles.card} ${styles.wide}`} aria-labelledby="biggest">
      <h2 id="biggest">{t`Biggest channels`}</h2>
      <div className={styles.threeColumns}>
        <RankedChannels order="doc_count" title={t`Videos`} textOf={(channel) => exactText(channel.doc_count)} />
        <RankedChannels order="duration" title={t`Duration`} textOf={(channel) => lengthText(channel.duration)} />
        <RankedChannels order="media_size" title={t`Media size`} textOf={(channel) => sizeText(channel.media_size, unit)} />
      </div>
    </section>
  );
}
