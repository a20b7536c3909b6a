import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Settings } from '#contract/settings.ts';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { LoginCookie } from './LoginCookie.tsx';
import { Membership } from './Membership.tsx';
import { OneSetting } from './OneSetting.tsx';
import { PoToken } from './PoToken.tsx';
import { Section } from './Section.tsx';
import { settingsQuery } from './setting-queries.ts';
import styles from './Settings.module.css';
import { SubtitleSource } from './SubtitleSource.tsx';

type Keys = { [S in keyof Settings]?: (keyof Settings[S] & string)[] };

const sections: { id: string; title: MessageDescriptor; words?: MessageDescriptor; keys: Keys }[] = [
  {
    id: 'scan',
    title: msg`Subscription Scan`,
    keys: {
      subscriptions: ['channel_size', 'live_channel_size', 'shorts_channel_size', 'playlist_size', 'auto_start', 'extract_flat'],
      scans: ['feed_minutes'],
    },
  },
  {
    id: 'rules',
    title: msg`What is wanted`,
    words: msg`Holds for all subscriptions; each channel and playlist may have rules of its own.`,
    keys: {
      rules: [
        'title_include',
        'title_exclude',
        'min_seconds',
        'max_seconds',
        'published_after',
        'skip_members_only',
        'keep_newest',
        'keep_days',
      ],
    },
  },
  {
    id: 'downloads',
    title: msg`Downloads`,
    keys: {
      downloads: ['limit_speed', 'throttledratelimit', 'sleep_interval', 'autodelete_days'],
      queue: ['at_once', 'per_site', 'reserve'],
    },
  },
  {
    id: 'format',
    title: msg`Download Format`,
    keys: { downloads: ['format', 'format_sort', 'extractor_lang', 'add_metadata', 'add_thumbnail'], queue: ['audio_only'] },
  },
  { id: 'subtitles', title: msg`Subtitles`, keys: { downloads: ['subtitle'] } },
  { id: 'comments', title: msg`Comments`, keys: { downloads: ['comment_max', 'comment_sort'] } },
  { id: 'cookie', title: msg`Cookie`, keys: {} },
  {
    id: 'integrations',
    title: msg`Integrations`,
    words: msg`Each asks another server about each video, and only while it is on.`,
    keys: { downloads: ['integrate_ryd', 'integrate_sponsorblock'], application: ['enable_cast'] },
  },
  { id: 'membership', title: msg`Membership`, keys: {} },
  { id: 'bin', title: msg`Bin`, keys: { bin: ['days'] } },
  { id: 'snapshots', title: msg`Snapshots`, keys: { application: ['enable_snapshot'] } },
  { id: 'ytdlp', title: msg`yt-dlp`, keys: { ytdlp: ['updates', 'pinned'] } },
];

/** What a section has beside plain settings. */
function Beside({ id, all }: { id: string; all: Settings }) {
  if (id === 'subtitles')
    return (
      <>
        <SubtitleSource all={all} />
        <OneSetting section="downloads" name="subtitle_index" all={all} />
      </>
    );
  if (id === 'cookie')
    return (
      <>
        <LoginCookie />
        <PoToken />
        <OneSetting section="downloads" name="pot_provider_url" all={all} />
      </>
    );
  if (id === 'integrations')
    return (
      <p className={styles.muted}>
        <Trans>
          Apps and scripts come in with <Link to="/settings/user/#api-token">an API token</Link>.
        </Trans>
      </p>
    );
  if (id === 'membership') return <Membership />;
  if (id === 'snapshots')
    return (
      <p className={styles.muted}>
        <Trans>
          One a day, kept for 30 days. <Link to="/settings/actions/#snapshots">All snapshots</Link>
        </Trans>
      </p>
    );
  return null;
}

/** The settings of the whole archive: drawn from the same table that the server checks them by. */
export function ApplicationSettings() {
  const { t } = useLingui();
  const query = useQuery(settingsQuery);
  return (
    <Loaded query={query} skeleton={<Skeleton height={400} />}>
      {(all) => (
        <div className={styles.cards}>
          <nav className={styles.jumps} aria-label={t`Sections`}>
            {sections.map(({ id, title }) => (
              <Link key={id} to={`#${id}`} replace preventScrollReset>
                {t(title)}
              </Link>
            ))}
          </nav>
          {sections.map(({ id, title, words, keys }) => (
            <Section key={id} id={id} title={t(title)} {...(words && { words: t(words) })}>
              {Object.keys(keys).length > 0 && (
                <div className={styles.pairs}>
                  {Object.entries(keys).flatMap(([section, names]) =>
                    names.map((name) => <OneSetting key={name} section={section as keyof Settings} name={name} all={all} />),
                  )}
                </div>
              )}
              <Beside id={id} all={all} />
            </Section>
          ))}
        </div>
      )}
    </Loaded>
  );
}
