import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { addressOf } from '#web/api/call.ts';
import { Logo } from '#web/ui/Logo.tsx';
import { useVersion } from '#web/footer/Footer.tsx';
import { useTitle } from '#web/ui/use-title.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useIsStaff } from '#web/api/account.ts';
import { Card } from '#web/setting-fields/Card.tsx';
import { Muted } from '#web/setting-fields/Muted.tsx';
import { OutgoingConnections } from './health/OutgoingConnections.tsx';
import { healthQuery } from '#web/api/queries/settings.ts';
import styles from './About.module.css';

const byViewers = [
  ['SponsorBlock', 'https://sponsor.ajay.app'],
  ['DeArrow', 'https://dearrow.ajay.app'],
] as const;

/** Versions of yt-dlp and FFmpeg, for administrators. */
function Programs() {
  const { t } = useLingui();
  const { data, isPending } = useQuery(healthQuery);
  const programs = data?.filter(({ name }) => name === 'ytdlp' || name === 'ffmpeg') ?? [];
  if (!isPending && programs.length === 0) return null;
  return (
    <Card>
      <h2>{t`Programs`}</h2>
      <ul className={styles.list}>
        {isPending
          ? ['ytdlp', 'ffmpeg'].map((name) => (
              <li key={name}>
                <Skeleton width={180} height={21} />
              </li>
            ))
          : programs.map(({ name, text, messages }) => <li key={name}>{messageText(messages, text)}</li>)}
      </ul>
    </Card>
  );
}

export function About() {
  const { t } = useLingui();
  useTitle(t`About`);
  const version = useVersion();
  const isStaff = useIsStaff();
  return (
    <div className={styles.page}>
      <h1>
        <Trans>About</Trans>
      </h1>
      <Card>
        <p className={styles.mark}>
          <Logo size={40} />
        </p>
        <h2>Reelkeep {version}</h2>
        <p>
          <Trans>
            A self-hosted archive for online videos. Free software under the GNU Affero General Public License, version 3 or
            later.
          </Trans>
        </p>
        <ul className={styles.list}>
          <li>
            <a href={addressOf('/api/docs/')}>
              <Trans>API documentation</Trans>
            </a>
          </li>
          <li>
            <a href="https://www.gnu.org/licenses/agpl-3.0.html" rel="noopener noreferrer" target="_blank">
              <Trans>License</Trans>
            </a>
          </li>
          <li>
            <a href="https://github.com/yt-dlp/yt-dlp/blob/master/supportedsites.md" rel="noopener noreferrer" target="_blank">
              <Trans>Sites supported by yt-dlp</Trans>
            </a>
          </li>
        </ul>
      </Card>
      {isStaff && <Programs />}
      <OutgoingConnections />
      <Card>
        <h2>
          <Trans>Data by viewers</Trans>
        </h2>
        <ul className={styles.list}>
          {byViewers.map(([name, url]) => (
            <li key={url}>
              <a href={url} rel="noopener noreferrer" target="_blank">
                {name}
              </a>
              , CC BY-NC-SA 4.0, {url}
            </li>
          ))}
        </ul>
      </Card>
      <Card>
        <h2>
          <Trans>Built with</Trans>
        </h2>
        <Muted>
          yt-dlp, FFmpeg, SQLite, Node.js, Fastify, Kysely, React, React Router, TanStack Query, Base UI, Video.js, Lingui, Tabler
          Icons, Inter.
        </Muted>
      </Card>
    </div>
  );
}
