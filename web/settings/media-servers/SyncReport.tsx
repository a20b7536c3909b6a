import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { MediaServer } from '#contract/media-server.ts';
import { syncReportQuery } from '#web/api/queries/media-server.ts';
import { dateTimeText } from '#web/format/dates.ts';
import { exactText } from '#web/format/numbers.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { lineNames } from './server-texts.ts';
import styles from './MediaServers.module.css';

/** What the last synchronization of a server changed, or would change. */
export function SyncReport({ server }: { server: MediaServer }) {
  const { t } = useLingui();
  const query = useQuery(syncReportQuery(server.id));
  return (
    <QueryBoundary query={query} skeleton={80}>
      {({ report }) => {
        if (!report)
          return (
            <p>
              <Trans>Nothing has been synchronized yet.</Trans>
            </p>
          );
        const { here, there, playlists, problems, items, matched, lines } = report;
        const counts = [
          [t`Items of the server`, items],
          [t`Videos here`, matched],
          [report.dry_run ? t`Would change here` : t`Changed here`, here],
          [report.dry_run ? t`Would change on the server` : t`Changed on the server`, there],
          [t`Playlists`, playlists],
          ...(problems > 0 ? ([[t`Problems`, problems]] as const) : []),
        ] as const;
        const hidden = here + there + playlists + problems - lines.length;
        return (
          <div className={styles.report}>
            <h3>
              {report.dry_run ? <Trans>Dry run</Trans> : <Trans>Synchronization</Trans>}{' '}
              <small>{dateTimeText(report.ended)}</small>
            </h3>
            {report.dry_run && (
              <p>
                <Trans>Nothing was changed.</Trans>
              </p>
            )}
            <dl className={styles.counts}>
              {counts.map(([label, count]) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{exactText(count)}</dd>
                </div>
              ))}
            </dl>
            {lines.length > 0 && (
              <div className={styles.lines} tabIndex={0} role="region" aria-label={t`Changes and problems`}>
                <ul>
                  {lines.map(({ kind, person, title, text, text_messages: messages }, index) => (
                    <li key={index}>
                      <Badge isDanger={kind === 'problem'}>{t(lineNames[kind])}</Badge>
                      <strong>
                        <bdi>{title}</bdi>
                      </strong>
                      <span>
                        {person !== null && (
                          <>
                            <bdi>{person}</bdi>
                            {' · '}
                          </>
                        )}
                        {messageText(messages, text)}
                      </span>
                    </li>
                  ))}
                </ul>
                {hidden > 0 && (
                  <p>
                    <Plural value={hidden} one="and # more" other="and # more" />
                  </p>
                )}
              </div>
            )}
          </div>
        );
      }}
    </QueryBoundary>
  );
}
