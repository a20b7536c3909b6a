import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { FoundVideo } from '#contract/search.ts';
import type { Video } from '#contract/video.ts';
import { addressOf } from '#web/api/call.ts';
import { Button } from '#web/ui/Button.tsx';
import styles from './Replacements.module.css';

// Loaded only for users who chose titles or thumbnails by viewers (web/community/community.ts). Responses are changed before they are cached,
// so that every part of the app shows them without knowing of them. Nothing sends titles or thumbnails of videos back to the server.

/** The title and thumbnail of the channel, as far as they were replaced. */
interface Original {
  title?: string;
  vid_thumb_url?: string;
}

type Changed = Partial<Omit<FoundVideo, 'moments'> & Video> & { original?: Original };

function change(video: Changed, choice: string): void {
  const { title, vid_thumb_url: picture, community_title, community_thumb_url } = video;
  const original: Original = {};
  if (community_title && title !== undefined && choice.startsWith('community')) {
    original.title = title;
    video.title = community_title;
  }
  if (community_thumb_url && choice.endsWith('community')) {
    if (picture !== undefined) original.vid_thumb_url = picture;
    video[picture === undefined ? 'thumb' : 'vid_thumb_url'] = community_thumb_url;
  }
  if (Object.keys(original).length > 0) video.original = original;
}

/** Replaces titles and thumbnails of all videos in a response, at any depth. `choice`: see web/community/community.ts. */
export function showCommunity(response: unknown, choice: string): void {
  if (typeof response !== 'object' || response === null) return;
  for (const part of Object.values(response)) showCommunity(part, choice);
  change(response, choice);
}

/** Returns what was replaced in a video; undefined for a video that is as the channel wants it. */
export const originalOf = (video: Video | FoundVideo) => (video as { original?: Original }).original;

function Sign({ original }: { original: string }) {
  const { t } = useLingui();
  const text = t`Title by viewers. Original: ${original}`;
  return <span className={styles.sign} role="img" aria-label={text} title={text} />;
}

/** The sign of a title by viewers, which names the original; null for other titles. */
export function signOf(video: Video | FoundVideo) {
  const { title } = originalOf(video) ?? {};
  return title ? <Sign original={title} /> : null;
}

interface HeadingProps {
  video: Video;
  original: Original;
  className: string | undefined;
}

function Heading({ video, original, className }: HeadingProps) {
  const { t } = useLingui();
  const [isOriginal, setIsOriginal] = useState(false);
  const { title = video.title, vid_thumb_url: picture } = original;
  return (
    <div className={styles.heading}>
      <h1 className={className}>
        {!isOriginal && signOf(video)}
        <bdi>{isOriginal ? title : video.title}</bdi>
      </h1>
      {isOriginal && picture && <img src={addressOf(picture)} alt={t`Original thumbnail`} />}
      <Button size="s" onClick={() => setIsOriginal(!isOriginal)}>
        {isOriginal ? t`Show version by viewers` : t`Show original`}
      </Button>
    </div>
  );
}

/** Heading of the page of a video, with a button that shows the original; undefined if nothing was replaced. */
export function headingOf(video: Video, className: string | undefined) {
  const original = originalOf(video);
  return original && <Heading video={video} original={original} className={className} />;
}
