import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import { Trans, useLingui } from '@lingui/react/macro';
import styles from './OutgoingConnections.module.css';
import { Card } from '#web/setting-fields/Card.tsx';
import { Muted } from '#web/setting-fields/Muted.tsx';

// Complete list of the outgoing connections of server and web app.
const hosts: { host: string | MessageDescriptor; why: MessageDescriptor; when: MessageDescriptor }[] = [
  {
    host: msg`Sites you add`,
    why: msg`Videos, listings, images, comments and feeds, through yt-dlp`,
    when: msg`When you add, scan, refresh or download`,
  },
  {
    host: 'www.youtube.com',
    why: msg`Internet connection and clock check`,
    when: msg`When you open Health`,
  },
  {
    host: 'sponsor.ajay.app',
    why: msg`SponsorBlock and DeArrow: segments, titles and thumbnails by viewers`,
    when: msg`After a download and when metadata is refreshed, only when enabled`,
  },
  {
    host: 'returnyoutubedislikeapi.com',
    why: msg`Return YouTube Dislike: dislike counts`,
    when: msg`Once per video, only when enabled`,
  },
  {
    host: 'github.com',
    why: msg`Updates of yt-dlp`,
    when: msg`When Reelkeep updates yt-dlp`,
  },
  {
    host: 'pypi.org',
    why: msg`PO token plugin of yt-dlp`,
    when: msg`When PO tokens are needed for the first time`,
  },
  {
    host: 'www.youtube.com, www.google.com, jnn-pa.googleapis.com',
    why: msg`Challenges for PO tokens`,
    when: msg`When YouTube refuses a download without a token, on request, or always if set`,
  },
  {
    host: msg`Your PO token provider`,
    why: msg`PO tokens`,
    when: msg`At each download from YouTube, only if configured`,
  },
  {
    host: msg`Reelkeep release feed`,
    why: msg`Check for new versions`,
    when: msg`Once a day, only if REELKEEP_RELEASES_URL is set`,
  },
  {
    host: 'www.gstatic.com',
    why: msg`Google Cast sender, loaded by your browser to find cast devices`,
    when: msg`Only when casting is enabled and a Chromium browser shows a video`,
  },
  { host: 'members.tubearchivist.com', why: msg`Membership service`, when: msg`Only with a token, on request` },
  {
    host: msg`Your notification services`,
    why: msg`Notifications: ntfy, Discord, email and others you added`,
    when: msg`When a task has something to report`,
  },
  {
    host: msg`Your media servers`,
    why: msg`Jellyfin, Emby, Plex and Kodi: refresh of libraries, watched marks and playlists`,
    when: msg`When library views change, and every 15 minutes if users or playlists are chosen`,
  },
  {
    host: msg`Your identity provider or LDAP directory`,
    why: msg`Login with OpenID Connect or LDAP`,
    when: msg`At login, only if configured`,
  },
];

export function OutgoingConnections() {
  const { t } = useLingui();
  const title = t`Network connections`;
  return (
    <Card>
      <h2>{title}</h2>
      <ul className={styles.hosts}>
        {hosts.map(({ host, why, when }) => {
          const name = typeof host === 'string' ? host : t(host);
          return (
            <li key={name}>
              <strong>{name}</strong>
              <p>{t(why)}</p>
              <Muted>{t(when)}</Muted>
            </li>
          );
        })}
      </ul>
      <Muted>
        <Trans>
          That’s all. No telemetry, no external accounts, no fonts or scripts from other servers. Your browser connects only to
          this server, unless casting is enabled.
        </Trans>
      </Muted>
    </Card>
  );
}
