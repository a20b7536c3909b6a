/** Builders with defaults for tests. */
import { createHash } from 'node:crypto';
import type { Catalogue, Channel, Clip, Cue, Playlist, Video } from './catalogue.ts';

const DAY = 86_400_000;
/** All generated dates are before this day, so that runs are reproducible. */
const EPOCH = Date.UTC(2025, 5, 1, 12);
let counter = 0;

/** Returns `length` characters derived from a text, in the form of ids of the site. */
export function idFrom(seedText: string, length: number): string {
  return createHash('sha256').update(seedText).digest('base64url').replaceAll(/[-_]/g, 'x').slice(0, length);
}

/** Creates a channel; `handle`, `id` and `initials` are derived from the name. */
export function aChannel(known: Partial<Channel> = {}): Channel {
  const name = known.name ?? `Channel ${++counter}`;
  return {
    id: `UC${idFrom(`channel ${name}`, 22)}`,
    handle: `@${name.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 26) || idFrom(name, 12)}`,
    name,
    description: `${name} shows things.`,
    tags: ['first tag', 'second'],
    subscribers: 12_300,
    look: { scene: 'blend', seed: counter },
    initials: name.slice(0, 1).toUpperCase(),
    layout: 'renderer',
    ...known,
  };
}

/** Creates a short, valid, public video; `id` is derived from the title. Set `channelId` to add it to a channel. */
export function aVideo(known: Partial<Video> = {}): Video {
  const number = ++counter;
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

/** Creates a playlist of the given videos; `id` is derived from the title. */
export function aPlaylist(known: Partial<Playlist> = {}): Playlist {
  const title = known.title ?? `Playlist ${++counter}`;
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
  const title = known.title ?? `Clip ${++counter}`;
  return {
    slug: title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    title,
    description: `${title}, on another site.`,
    durationSeconds: 10,
    look: { scene: 'blend', seed: 1 },
    ...known,
  };
}

/** Creates cues of equal length that fill `durationSeconds`. */
export function cuesFrom(sentences: string[], durationSeconds: number): Cue[] {
  const each = durationSeconds / Math.max(sentences.length, 1);
  return sentences.map((text, index) => ({ startSeconds: index * each, endSeconds: (index + 1) * each - 0.2, text }));
}

/** Creates a catalogue of the given parts without faults and releases. */
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
