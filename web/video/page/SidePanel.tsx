import { useLingui } from '@lingui/react/macro';
import { Tabs } from '@base-ui/react/tabs';
import { useQuery } from '@tanstack/react-query';
import type { Video } from '#contract/video.ts';
import { accountQuery } from '#web/api/account.ts';
import { usePlayQueue } from '#web/player/queue/queue.ts';
import { seekTo } from '#web/player/state/player-store.ts';
import { useQueryParams } from '#web/ui/use-search-params.ts';
import { useScrollIntoView } from '#web/ui/use-scroll-into-view.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Chapters } from './Chapters.tsx';
import page from './VideoPage.module.css';
import styles from './SidePanel.module.css';

const ChatPanel = lazyComponent(async () => (await import('../chat/ChatPanel.tsx')).ChatPanel);
const GeneratedNote = lazyComponent(async () => (await import('./GeneratedNote.tsx')).GeneratedNote, 'optional');
const Neighbours = lazyComponent(async () => (await import('./Neighbours.tsx')).Neighbours);
const NotesPanel = lazyComponent(async () => (await import('../../note/NotesPanel.tsx')).NotesPanel);
const QueueList = lazyComponent(async () => (await import('#web/player/queue/QueueList.tsx')).QueueList);
const NoTranscript = lazyComponent(async () => (await import('../transcript/NoTranscript.tsx')).NoTranscript);
const Transcript = lazyComponent(async () => (await import('../transcript/Transcript.tsx')).Transcript);

/** Tabs next to the video. The selected tab is in the address. */
export function SidePanel({ video }: { video: Video }) {
  const { t } = useLingui();
  const [search, put] = useQueryParams();
  const queued = usePlayQueue(({ items }) => items.length);
  const isQueued = usePlayQueue(({ items }) => items.some(({ id }) => id === video.youtube_id));
  const mayTranscribe = useQuery(accountQuery).data?.may_transcribe ?? false;
  const hasCaptions = video.subtitles.length > 0;
  const tabs = [
    { value: 'chat', name: t`Chat`, isThere: video.chat || video.vid_type === 'streams' },
    // Staff and users with the permission can have one made.
    {
      value: 'transcript',
      name: t`Transcript`,
      isThere: hasCaptions || (mayTranscribe && video.streams.some(({ type }) => type === 'audio')),
    },
    { value: 'playlist', name: t`Playlists`, isThere: video.playlist.length > 0 },
    { value: 'queue', name: queued > 0 ? t`Up next (${queued})` : t`Up next`, isThere: true },
    { value: 'notes', name: t`Notes`, isThere: true },
  ].filter(({ isThere }) => isThere);
  const initial = isQueued
    ? 'queue'
    : video.playlist.length > 0
      ? 'playlist'
      : video.chat
        ? 'chat'
        : hasCaptions
          ? 'transcript'
          : 'queue';
  const selectedTab = tabs.find(({ value }) => value === search.get('side'))?.value ?? initial;
  const row = useScrollIntoView<HTMLDivElement>('[data-active]', selectedTab);
  return (
    <aside className={page.side} aria-label={t`More`}>
      <Chapters chapters={video.chapters} onSeek={seekTo} note={video.chapters[0]?.is_generated && <GeneratedNote />} />
      <Tabs.Root
        value={selectedTab}
        onValueChange={(value) => put({ side: String(value) }, { replace: true, preventScrollReset: true })}
      >
        <Tabs.List ref={row} className={styles.tabs} aria-label={t`Side panel`}>
          {tabs.map(({ value, name }) => (
            <Tabs.Tab key={value} value={value} className={styles.tab}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={selectedTab} className={styles.panel}>
          {selectedTab === 'transcript' &&
            (hasCaptions ? (
              <Transcript video={video} fallback={<Skeleton height={420} />} />
            ) : (
              <NoTranscript id={video.youtube_id} durationSeconds={video.player.duration} fallback={<Skeleton height={120} />} />
            ))}
          {selectedTab === 'chat' && <ChatPanel video={video} fallback={<Skeleton height={420} />} />}
          {selectedTab === 'playlist' && <Neighbours id={video.youtube_id} fallback={<Skeleton height={180} />} />}
          {selectedTab === 'notes' && (
            <NotesPanel video={video.youtube_id} durationSeconds={video.player.duration} fallback={<Skeleton height={120} />} />
          )}
          {selectedTab === 'queue' && <QueueList shownId={video.youtube_id} fallback={<Skeleton height={180} />} />}
        </Tabs.Panel>
      </Tabs.Root>
    </aside>
  );
}
