import { Trans, useLingui } from '@lingui/react/macro';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { addressOf, call } from '#web/api/call.ts';
import styles from './Footer.module.css';

const tickMs = 3000;

const usePing = () =>
  useQuery({ queryKey: ['service', 'ping'], queryFn: ({ signal }) => call('GET /api/ping/', { signal }), staleTime: 60 * 60_000 })
    .data;

export const useVersion = () => usePing()?.version;

/** Whether there is a newer version, and whether it asks for care; a tick for a moment when there is none. */
function Update() {
  const { t } = useLingui();
  const ping = usePing();
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
  if (!isTick) return null;
  return <IconCheck role="img" aria-label={t`Up to date`} className={styles.tick} />;
}

export function Footer() {
  return (
    <footer className={styles.footer}>
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
