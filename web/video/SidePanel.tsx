import { useLingui } from '@lingui/react/macro';
import { Tabs } from '@base-ui/react/tabs';
import { lazy, Suspense } from 'react';
import type { Video } from '#contract/video.ts';
import { usePlayQueue } from '#web/player/queue.ts';
import { QueueList } from '#web/player/QueueList.tsx';
import { seekTo } from '#web/player/stage.ts';
import { useAddress } from '#web/ui/address.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Chapters } from './Chapters.tsx';
import { Neighbours } from './Neighbours.tsx';
import { Similar } from './Similar.tsx';
import page from './VideoPage.module.css';
import styles from './SidePanel.module.css';

const Transcript = lazy(async () => ({ default: (await import('./Transcript.tsx')).Transcript }));

/** What stands beside a video; which of it is in the address. */
export function SidePanel({ video }: { video: Video }) {
  const { t } = useLingui();
  const [search, put] = useAddress();
  const queued = usePlayQueue(({ items }) => items.length);
  const isQueued = usePlayQueue(({ items }) => items.some(({ id }) => id === video.youtube_id));
  const tabs = [
    { value: 'transcript', name: t`Transcript`, isThere: video.subtitles.length > 0 },
    { value: 'playlist', name: t`Playlists`, isThere: video.playlist.length > 0 },
    { value: 'queue', name: queued > 0 ? t`Queue (${queued})` : t`Queue`, isThere: true },
    { value: 'similar', name: t`Similar`, isThere: true },
  ].filter(({ isThere }) => isThere);
  const initial = isQueued ? 'queue' : video.playlist.length > 0 ? 'playlist' : 'similar';
  const shown = tabs.find(({ value }) => value === search.get('side'))?.value ?? initial;
  return (
    <aside className={page.side} aria-label={t`More`}>
      <Chapters chapters={video.chapters} onSeek={seekTo} />
      <Tabs.Root
        value={shown}
        onValueChange={(value) => put({ side: String(value) }, { replace: true, preventScrollReset: true })}
      >
        <Tabs.List className={styles.tabs} aria-label={t`Beside the video`}>
          {tabs.map(({ value, name }) => (
            <Tabs.Tab key={value} value={value} className={styles.tab}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={shown} className={styles.panel}>
          {shown === 'transcript' && (
            <Suspense fallback={<Skeleton height={420} />}>
              <Transcript video={video} />
            </Suspense>
          )}
          {shown === 'playlist' && <Neighbours id={video.youtube_id} />}
          {shown === 'queue' && <QueueList shownId={video.youtube_id} />}
          {shown === 'similar' && <Similar id={video.youtube_id} />}
        </Tabs.Panel>
      </Tabs.Root>
    </aside>
  );
}
