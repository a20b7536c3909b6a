import type { Capabilities, MediaContainer } from '#contract/playback.ts';
import { asRecord, getStored, parseStored, setStored } from '#web/ui/use-local-storage.ts';
import { playsHls } from './plays-hls.ts';

// What this browser can decode, measured once for each version of it.

const storageKey = 'reelkeep.capabilities';
/** Increased when other codecs are measured. */
const form = 1;

/** Heights with the frame rate 30 that are measured, lowest first. */
const heights = [1080, 2160, 4320] as const;
type Levels = readonly [string, string, string];
// Levels of the codecs for these heights.
const h264: Levels = ['28', '33', '3C'];
const hevc: Levels = ['L120', 'L153', 'L183'];
const av1: Levels = ['08', '12', '16'];
const vp9: Levels = ['40', '50', '60'];

const pictures: { name(level: string): string; levels: Levels; containers: MediaContainer[] }[] = [
  ...['64', '6E', '7A', 'F4'].map((profile) => ({
    name: (level: string) => `avc1.${profile}00${level}`,
    levels: h264,
    containers: ['mp4', 'x-matroska'] as MediaContainer[],
  })),
  ...['1.6', '2.4', '4.10'].map((profile) => ({
    name: (level: string) => `hvc1.${profile}.${level}.B0`,
    levels: hevc,
    containers: ['mp4', 'x-matroska'] as MediaContainer[],
  })),
  ...['0|08', '0|10', '1|08'].map((both) => ({
    name: (level: string) => `av01.${both[0]}.${level}M.${both.slice(2)}`,
    levels: av1,
    containers: ['mp4', 'webm', 'x-matroska'] as MediaContainer[],
  })),
  ...['00|08', '01|08', '02|10'].map((both) => ({
    name: (level: string) => `vp09.${both.slice(0, 2)}.${level}.${both.slice(3)}`,
    levels: vp9,
    containers: ['mp4', 'webm', 'x-matroska'] as MediaContainer[],
  })),
  { name: () => 'vp8', levels: ['', '', ''], containers: ['webm', 'x-matroska'] },
];

const sounds: Record<string, MediaContainer[]> = {
  'mp4a.40.2': ['mp4', 'x-matroska'],
  'mp4a.6B': ['mp4'],
  mp3: ['mpeg', 'x-matroska'],
  opus: ['mp4', 'webm', 'ogg', 'x-matroska'],
  vorbis: ['webm', 'ogg', 'x-matroska'],
  flac: ['mp4', 'flac', 'ogg', 'x-matroska'],
  'ac-3': ['mp4', 'x-matroska'],
  'ec-3': ['mp4', 'x-matroska'],
  alac: ['mp4'],
};

// Types that name no codec, because their container has only one.
const plainContainers = new Set<MediaContainer>(['mpeg', 'flac']);

async function plays(kind: 'video' | 'audio', container: MediaContainer, codec: string, height = 0): Promise<boolean> {
  const contentType = `${kind}/${container}${plainContainers.has(container) ? '' : `; codecs="${codec}"`}`;
  if (!('mediaCapabilities' in navigator)) return document.createElement('video').canPlayType(contentType) !== '';
  const video = { contentType, width: Math.round((height * 16) / 9), height, bitrate: height * 5000, framerate: 30 };
  try {
    const asked: MediaDecodingConfiguration = { type: 'file', ...(kind === 'video' ? { video } : { audio: { contentType } }) };
    return (await navigator.mediaCapabilities.decodingInfo(asked)).supported;
  } catch {
    return false; // a container that the browser does not know
  }
}

/** `hdr` depends on the screen, and `hls` costs nothing to find out. */
type Measured = Omit<Capabilities, 'hdr' | 'hls'>;

async function measure(): Promise<Measured> {
  const video = pictures.flatMap(({ name, levels, containers }) =>
    containers.map(async (container) => {
      const known = await Promise.all(heights.map((height, at) => plays('video', container, name(levels[at]!), height)));
      const limit = known.indexOf(false);
      if (limit === 0) return [];
      return [{ codec: name(levels[0]), containers: [container], ...(limit > 0 && { max_height: heights[limit - 1] }) }];
    }),
  );
  const audio = Object.entries(sounds).map(async ([codec, containers]) => {
    const known = await Promise.all(containers.map((container) => plays('audio', container, codec)));
    return { codec, containers: containers.filter((_, at) => known[at]) };
  });
  return {
    video: (await Promise.all(video)).flat(),
    audio: (await Promise.all(audio)).filter(({ containers }) => containers.length > 0),
  };
}

/** Returns what this browser can decode, and whether its screen is HDR now. */
export async function capabilities(): Promise<Capabilities> {
  const now = { hdr: matchMedia('(dynamic-range: high)').matches, hls: playsHls() };
  const version = `${form} ${navigator.userAgent}`;
  const stored = parseStored(getStored(storageKey), asRecord);
  if (stored.version === version) return { ...(stored.can as Measured), ...now };
  const can = await measure();
  setStored(storageKey, JSON.stringify({ version, can }));
  return { ...can, ...now };
}
