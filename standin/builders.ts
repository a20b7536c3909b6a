/** Builders that fill in what a test does not say. */
import { createHash } from 'node:crypto';
import type { Catalogue, Channel, Clip, Cue, Playlist, Video } from '#standin/catalogue.ts';

const DAY = 86_400_000;
/** Everything a builder dates lies before this day, so that runs are alike. */
const EPOCH = Date.UTC(2025, 5, 1, 12);
let made = 0;

/** `length` characters that are always the same for the same words: enough like the site's own ids. */
export function idFrom(words: string, length: number): string {
  return createHash('sha256').update(words).digest('base64url').replaceAll(/[-_]/g, 'x').slice(0, length);
}

/** A channel with a name of its own; `handle`, `id` and `initials` follow from the name. */
export function aChannel(known: Partial<Channel> = {}): Channel {
  const name = known.name ?? `Channel ${++made}`;
  return {
    id: `UC${idFrom(`channel ${name}`, 22)}`,
    handle: `@${name.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 26) || idFrom(name, 12)}`,
    name,
    description: `${name} shows things.`,
    tags: ['first tag', 'second'],
    subscribers: 12_300,
    look: { scene: 'blend', seed: made },
    initials: name.slice(0, 1).toUpperCase(),
    layout: 'renderer',
    ...known,
  };
}

/** A short, sound, public video; `id` follows from the title. Give `channelId`, or it belongs to nobody. */
export function aVideo(known: Partial<Video> = {}): Video {
  const number = ++made;
  const title = known.title ?? `Video ${number}`;
  return {
    id: idFrom(`video ${title}`, 11),
    channelId: '',
    title,
    description: `What happens in ${title}.`,
    durationSeconds: 10,
    width: 320,
    height: 180,
    published: new Date(EPOCH - number * DAY),
    tags: ['one', 'two words'],
    category: 'Education',
    views: 4_321,
    likes: 210,
    kind: 'video',
    headline: '',
    look: { scene: 'blend', seed: 1 },
    extraFormats: [],
    subtitles: [],
    comments: [],
    chapters: [],
    sponsors: [],
    ...known,
  };
}

/** A list of the given videos in their order; `id` follows from the title. */
export function aPlaylist(known: Partial<Playlist> = {}): Playlist {
  const title = known.title ?? `Playlist ${++made}`;
  return {
    id: `PL${idFrom(`playlist ${title}`, 32)}`,
    channelId: '',
    title,
    description: `${title}, in order.`,
    videoIds: [],
    ...known,
  };
}

export function aClip(known: Partial<Clip> = {}): Clip {
  const title = known.title ?? `Clip ${++made}`;
  return {
    slug: title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    title,
    description: `${title}, on another site.`,
    durationSeconds: 10,
    look: { scene: 'blend', seed: 1 },
    ...known,
  };
}

/** Sentences as cues of equal length that fill `durationSeconds`. */
export function cuesFrom(sentences: string[], durationSeconds: number): Cue[] {
  const each = durationSeconds / Math.max(sentences.length, 1);
  return sentences.map((text, index) => ({ startSeconds: index * each, endSeconds: (index + 1) * each - 0.2, text }));
}

/** A catalogue of the given parts, nothing wrong with it, and the current release of nothing. */
export function aCatalogue(known: Partial<Catalogue> = {}): Catalogue {
  return {
    channels: [],
    videos: [],
    playlists: [],
    clips: [],
    faults: [],
    ytdlpReleases: [],
    release: { version: '0.1.0', breaking: false },
    members: {},
    ...known,
  };
}
