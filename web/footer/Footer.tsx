import { Trans, useLingui } from '@lingui/react/macro';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { addressOf, call } from '#web/api/call.ts';
import styles from './Footer.module.css';

const tickMs = 3000;

const pingQuery = queryOptions({
  queryKey: ['service', 'ping'],
  queryFn: ({ signal }) => call('GET /api/ping/', { signal }),
  staleTime: 60 * 60_000,
});

export const useVersion = () => useQuery(pingQuery).data?.reelkeep_version;

/** Notice of a newer version; a check mark for three seconds when up to date. */
function UpdateNotice() {
  const { t } = useLingui();
  const { data: ping } = useQuery(pingQuery);
  const [isTick, setIsTick] = useState(true);
  useEffect(() => {
    if (!ping) return;
    const timer = setTimeout(() => setIsTick(false), tickMs);
    return () => clearTimeout(timer);
  }, [ping]);
  if (!ping) return null;
  const update = ping.ta_update;
  if (update?.status)
    return (
      <span className={styles.update} role="status">
        {update.is_breaking && <IconAlertTriangle aria-hidden />}
        <span>
          {update.is_breaking
            ? t`${update.version} is available, with breaking changes. Read the release notes before updating.`
            : t`${update.version} is available.`}{' '}
          {update.notes_url && (
            <a href={update.notes_url} target="_blank" rel="noopener noreferrer">
              <Trans>Release notes</Trans>
            </a>
          )}
        </span>
      </span>
    );
  // The space is kept, so that the layout does not shift.
  return <IconCheck role="img" aria-label={t`Up to date`} className={`${styles.tick} ${isTick ? '' : styles.invisible}`} />;
}

export function Footer() {
  const { data: ping, isPending } = useQuery(pingQuery);
  return (
    <footer className={`${styles.footer} ${isPending ? styles.invisible : ''}`}>
      <Link to="/about/">Reelkeep</Link>
      <span className="number">{useVersion()}</span>
      <UpdateNotice />
      <Link to="/about/">
        <Trans>About</Trans>
      </Link>
      <a href={addressOf('/api/docs/')}>
        <Trans>API</Trans>
      </a>
      {ping?.community.map(({ name, url }) => (
        <a key={url} href={url} target="_blank" rel="noopener noreferrer">
          {name}
        </a>
      ))}
    </footer>
  );
}
