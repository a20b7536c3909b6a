import type { Video } from '#contract/video.ts';
import { RecordingNotice } from './RecordingNotice.tsx';
import { UpgradeNotice } from './UpgradeNotice.tsx';

/** Where the file comes from, and what else its source has. */
export function FileNotices({ video, onSeek }: { video: Video; onSeek(seconds: number): void }) {
  return (
    <>
      {video.recording && <RecordingNotice recording={video.recording} onSeek={onSeek} />}
      {(video.upgrade || video.source_duration !== undefined) && <UpgradeNotice video={video} />}
    </>
  );
}
