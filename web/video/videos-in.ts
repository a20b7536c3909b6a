import type { Video } from '#contract/video.ts';

// Where answers keep their videos.
const inners = ['data', 'results', 'video_results'] as const;

/**
 * Goes through what the server said, and answers it with its videos changed, however deep they are. What holds none is
 * answered as it is.
 */
export function changedVideos(known: unknown, touch: (video: Video) => Video): unknown {
  if (Array.isArray(known)) return known.map((one) => changedVideos(one, touch));
  if (typeof known !== 'object' || known === null) return known;
  if ('youtube_id' in known && 'player' in known) return touch(known as Video);
  for (const inner of inners)
    if (inner in known) return { ...known, [inner]: changedVideos((known as Record<string, unknown>)[inner], touch) };
  return known;
}

/** The videos in what the server said. */
export function videosIn(known: unknown): Video[] {
  const found: Video[] = [];
  changedVideos(known, (video) => {
    found.push(video);
    return video;
  });
  return found;
}
