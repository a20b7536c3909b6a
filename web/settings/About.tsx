import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { addressOf } from '#web/api/call.ts';
import { Mark } from '#web/shell/Mark.tsx';
import { useVersion } from '#web/shell/Footer.tsx';
import { useTitle } from '#web/shell/title.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useIsStaff } from '#web/user/queries.ts';
import { Hosts } from './Hosts.tsx';
import { doctorQuery } from './setting-queries.ts';
import styles from './Settings.module.css';

/** What runs beneath, for those who look after it. */
function Programs() {
  const { t } = useLingui();
  const { data, isPending } = useQuery(doctorQuery);
  const programs = data?.filter(({ name }) => name === 'ytdlp' || name === 'ffmpeg') ?? [];
  if (!isPending && programs.length === 0) return null;
  return (
    <section className={styles.card}>
      <h2>{t`Programs`}</h2>
      <ul className={styles.list}>
        {isPending
          ? ['ytdlp', 'ffmpeg'].map((name) => (
              <li key={name}>
                <Skeleton width={180} height={21} />
              </li>
            ))
          : programs.map(({ name, says }) => <li key={name}>{says}</li>)}
      </ul>
    </section>
  );
}

/** What this is, and whom it talks to. */
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
      <section className={styles.card}>
        <p className={styles.mark}>
          <Mark size={40} />
        </p>
        <h2>Reelkeep {version}</h2>
        <p>
          <Trans>
            Your archive of online video: fetched, kept safe, nice to watch. Free software under the GNU Affero General Public
            License, version 3 or later.
          </Trans>
        </p>
        <ul className={styles.list}>
          <li>
            <a href={addressOf('/api/docs/')}>
              <Trans>The API, to read and to try</Trans>
            </a>
          </li>
          <li>
            <a href="https://www.gnu.org/licenses/agpl-3.0.html" rel="noopener noreferrer" target="_blank">
              <Trans>The licence</Trans>
            </a>
          </li>
          <li>
            <a href="https://github.com/yt-dlp/yt-dlp/blob/master/supportedsites.md" rel="noopener noreferrer" target="_blank">
              <Trans>Sites that yt-dlp knows</Trans>
            </a>
          </li>
        </ul>
      </section>
      {isStaff && <Programs />}
      <Hosts />
      <section className={styles.card}>
        <h2>
          <Trans>Built with</Trans>
        </h2>
        <p className={styles.muted}>
          yt-dlp, FFmpeg, SQLite, Node.js, Fastify, Kysely, React, React Router, TanStack Query, Base UI, Video.js, Lingui, Tabler
          Icons, Inter.
        </p>
      </section>
    </div>
  );
}
