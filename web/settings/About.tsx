import { Mark } from '#web/shell/Mark.tsx';
import { useVersion } from '#web/shell/Footer.tsx';
import { useTitle } from '#web/shell/title.ts';
import styles from './Settings.module.css';

/** What this is, and whom it talks to. */
export function About() {
  useTitle('About');
  const version = useVersion();
  return (
    <div className={styles.page}>
      <h1>About</h1>
      <section className={styles.card}>
        <p className={styles.mark}>
          <Mark size={40} />
        </p>
        <h2>Reelkeep {version}</h2>
        <p>
          Your archive of online video: fetched, kept safe, nice to watch. Free software under the GNU Affero General Public
          License, version 3 or later.
        </p>
      </section>
      <section className={styles.card}>
        <h2>Whom it talks to</h2>
        <ul className={styles.list}>
          <li>
            <strong>The sites you add</strong>, through yt-dlp, for the videos and what belongs to them.
          </li>
          <li>
            <strong>SponsorBlock and Return YouTube Dislike</strong>, one question for each video, only when they are switched on.
          </li>
          <li>
            <strong>Nobody else.</strong> No telemetry, no accounts elsewhere, no fonts or scripts from other servers.
          </li>
        </ul>
      </section>
      <section className={styles.card}>
        <h2>Built with</h2>
        <p className={styles.words} style={{ margin: 0 }}>
          yt-dlp, FFmpeg, SQLite, Node.js, Fastify, Kysely, React, React Router, TanStack Query, Video.js, Tabler Icons and Inter.
        </p>
      </section>
    </div>
  );
}
