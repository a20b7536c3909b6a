import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SharedContent } from '#contract/share.ts';
import { durationText, videosText } from '#web/format/numbers.ts';
import { Button } from '#web/ui/Button.tsx';
import { SharedVideoView } from './SharedVideoView.tsx';
import styles from './SharedPage.module.css';

/** A shared playlist: the current video, and the list. The next one starts when a video ends. */
export function SharedPlaylist({
  content,
  loadPage,
}: {
  content: SharedContent;
  loadPage(page: number): Promise<SharedContent>;
}) {
  const [videos, setVideos] = useState(content.videos);
  const [page, setPage] = useState(1);
  const [isLoading, setIsLoading] = useState(false);
  const [error, setError] = useState<string>();
  const [current, setCurrent] = useState({ index: 0, isStarted: false });
  const video = videos[current.index];
  const showMore = async () => {
    setIsLoading(true);
    setError(undefined);
    try {
      const next = await loadPage(page + 1);
      setVideos([...videos, ...next.videos]);
      setPage(page + 1);
    } catch (problem) {
      setError((problem as Error).message);
    } finally {
      setIsLoading(false);
    }
  };
  return (
    <div className={styles.playlist}>
      {video ? (
        <SharedVideoView
          key={video.id}
          video={video}
          isDownloadable={content.download}
          m3uUrl={content.m3u_url}
          isStarted={current.isStarted}
          onEnded={() => current.index + 1 < videos.length && setCurrent({ index: current.index + 1, isStarted: true })}
        />
      ) : (
        <p>
          <Trans>This playlist is empty.</Trans>
        </p>
      )}
      <section className={styles.list} aria-labelledby="list">
        <h2 id="list">
          <bdi>{content.name}</bdi>
        </h2>
        <p className={styles.meta}>{videosText(content.total)}</p>
        <ol>
          {videos.map(({ id, title, duration, thumb_url: picture }, index) => (
            <li key={id}>
              <button
                type="button"
                aria-current={index === current.index || undefined}
                onClick={() => setCurrent({ index, isStarted: true })}
              >
                <img src={picture} alt="" loading="lazy" width={112} height={63} />
                <span>
                  <bdi>{title}</bdi>
                  <span className={`${styles.muted} number`}>{durationText(duration)}</span>
                </span>
              </button>
            </li>
          ))}
        </ol>
        {error && (
          <p role="alert" className={styles.error}>
            {error}
          </p>
        )}
        {videos.length < content.total && (
          <Button isBusy={isLoading} onClick={() => void showMore()}>
            <Trans>Show more</Trans>
          </Button>
        )}
      </section>
    </div>
  );
}
