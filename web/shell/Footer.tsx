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

export const useVersion = () => useQuery(pingQuery).data?.version;

/** Whether there is a newer version, and whether it asks for care; a tick for a moment when there is none. */
function Update() {
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
            ? t`${update.version} is available, with breaking changes: read its notes before you update.`
            : t`${update.version} is available.`}
        </span>
      </span>
    );
  // Its place stays, so that the words beside it do not move.
  return <IconCheck role="img" aria-label={t`Up to date`} className={`${styles.tick} ${isTick ? '' : styles.gone}`} />;
}

export function Footer() {
  const { isPending } = useQuery(pingQuery);
  return (
    <footer className={`${styles.footer} ${isPending ? styles.gone : ''}`}>
      <Link to="/about/">Reelkeep</Link>
      <span className="number">{useVersion()}</span>
      <Update />
      <Link to="/about/">
        <Trans>About</Trans>
      </Link>
      <a href={addressOf('/api/docs/')}>
        <Trans>API</Trans>
      </a>
    </footer>
  );
}
