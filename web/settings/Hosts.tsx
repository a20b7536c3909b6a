import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import { Trans, useLingui } from '@lingui/react/macro';
import styles from './Settings.module.css';

// Everything that the program ever talks to by itself or when asked, and when. What is not here is not asked.
const hosts: { host: string | MessageDescriptor; why: MessageDescriptor; when: MessageDescriptor }[] = [
  {
    host: msg`The sites you add`,
    why: msg`Videos, listings, pictures, comments and feeds, through yt-dlp`,
    when: msg`When you add, scan, refresh or download`,
  },
  {
    host: 'www.youtube.com',
    why: msg`Whether the internet can be reached, and what time it is`,
    when: msg`When you open Health`,
  },
  {
    host: 'sponsor.ajay.app',
    why: msg`SponsorBlock: which parts are sponsored`,
    when: msg`Once for each video, only while it is on`,
  },
  {
    host: 'returnyoutubedislikeapi.com',
    why: msg`Return YouTube Dislike: how many dislikes`,
    when: msg`Once for each video, only while it is on`,
  },
  {
    host: 'github.com',
    why: msg`Newer versions of yt-dlp, and its plugin for PO tokens`,
    when: msg`When yt-dlp is kept up to date here, or a provider is set`,
  },
  {
    host: msg`Where newer versions of Reelkeep are announced`,
    why: msg`Whether there is one`,
    when: msg`Only when REELKEEP_RELEASES_URL says where, once a day`,
  },
  {
    host: 'www.gstatic.com',
    why: msg`Google's sender, which finds televisions: your browser loads it, nothing of it comes from here`,
    when: msg`Only while casting is on, when a Chromium browser shows a video`,
  },
  { host: 'members.tubearchivist.com', why: msg`The membership service`, when: msg`Only with a token, when you ask for it` },
  {
    host: msg`Where you want to be told`,
    why: msg`Notifications: ntfy, Discord, mail, and what else you entered`,
    when: msg`When a task has something to tell`,
  },
  {
    host: msg`Your provider or directory of people`,
    why: msg`Logging in by OpenID Connect or LDAP`,
    when: msg`Only when it is set up, when somebody logs in`,
  },
];

/** Every host that the program ever talks to, and why. */
export function Hosts() {
  const { t } = useLingui();
  const title = t`Whom it talks to`;
  return (
    <section className={styles.card}>
      <h2>{title}</h2>
      <ul className={styles.hosts}>
        {hosts.map(({ host, why, when }) => {
          const name = typeof host === 'string' ? host : t(host);
          return (
            <li key={name}>
              <strong>{name}</strong>
              <p>{t(why)}</p>
              <p className={styles.muted}>{t(when)}</p>
            </li>
          );
        })}
      </ul>
      <p className={styles.muted}>
        <Trans>
          Nobody else. No telemetry, no accounts elsewhere, no fonts or scripts from other servers; your browser talks to this
          server alone, unless casting is on.
        </Trans>
      </p>
    </section>
  );
}
