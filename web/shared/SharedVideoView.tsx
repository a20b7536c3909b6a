import { Trans, useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import type { SharedVideo } from '#contract/share.ts';
import { dayText } from '#web/format/dates.ts';
import { durationText } from '#web/format/numbers.ts';
import { Button, buttonClass } from '#web/ui/Button.tsx';
import { copyText } from '#web/ui/copy-text.ts';
import { RichText } from '#web/ui/RichText.tsx';
import { Chapters } from '#web/video/page/Chapters.tsx';
import styles from './SharedPage.module.css';

interface Props {
  video: SharedVideo;
  isDownloadable: boolean;
  m3uUrl: string;
  /** Starts when it is shown, as the next video of a playlist. */
  isStarted?: boolean;
  onEnded?(): void;
}

function CopyAddress({ url }: { url: string }) {
  const { t } = useLingui();
  const [isCopied, setIsCopied] = useState<boolean>();
  return (
    <>
      <Button size="s" onClick={() => void copyText(url).then(setIsCopied)}>
        <Trans>Copy address for players</Trans>
      </Button>
      <span role="status" className={styles.copied}>
        {isCopied === true && t`Copied.`}
        {isCopied === false && url}
      </span>
    </>
  );
}

/** A shared video with the browser's own player, its chapters and description. */
export function SharedVideoView({ video, isDownloadable, m3uUrl, isStarted = false, onEnded }: Props) {
  const media = useRef<HTMLVideoElement>(null);
  const [isBroken, setIsBroken] = useState(false);
  const seek = (seconds: number) => {
    if (!media.current) return;
    media.current.currentTime = seconds;
    void media.current.play();
    media.current.scrollIntoView({ block: 'nearest' });
  };
  const url = new URL(video.media_url, document.baseURI).href;
  return (
    <article className={styles.video}>
      {/* A video element also plays audio, and shows its picture. Captions are tracks of the video, if it has any. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      <video
        ref={media}
        className={styles.player}
        src={video.media_url}
        poster={video.thumb_url}
        controls
        playsInline
        autoPlay={isStarted}
        preload="metadata"
        onEnded={onEnded}
        onError={() => setIsBroken(true)}
        aria-label={video.title}
        {...(!isDownloadable && { controlsList: 'nodownload' })}
      >
        {video.subtitles.map(({ lang, name, url: track }) => (
          <track key={lang} kind="captions" srcLang={lang} label={name} src={track} />
        ))}
      </video>
      {isBroken && (
        <p role="alert" className={styles.error}>
          <Trans>This browser cannot play the video. Open it in VLC or another player.</Trans>
        </p>
      )}
      <h1>
        <bdi>{video.title}</bdi>
      </h1>
      <p className={styles.meta}>
        <bdi>{video.channel}</bdi>
        <span>{dayText(video.published)}</span>
        <span className="number">{durationText(video.duration)}</span>
      </p>
      <div className={styles.actions}>
        {isDownloadable && (
          <a className={buttonClass('plain', 's')} href={`${video.media_url}?download`}>
            <Trans>Download</Trans>
          </a>
        )}
        <a className={buttonClass('plain', 's')} href={m3uUrl}>
          <Trans>Open in VLC or mpv</Trans>
        </a>
        <CopyAddress url={url} />
      </div>
      <Chapters chapters={video.chapters} onSeek={seek} />
      {video.description && <RichText text={video.description} durationSeconds={video.duration} onSeek={seek} foldAfter={6} />}
    </article>
  );
}
