/** Formats of a video and their files. */
import { statSync } from 'node:fs';
import type { SiteContext } from '../answer.ts';
import type { Sound, Video } from '../catalogue.ts';
import { type Encoding, mediaFile } from '../media/encode.ts';
import { addressFields } from './challenges.ts';

interface Offer {
  itag: number;
  encoding: Encoding;
  mimeType: string;
  audio: boolean;
  /** 1 for the full size, 0.5 for the smaller format. */
  scale: number;
  /** Announced bits per second. */
  bitrate: number;
}

const offers: Offer[] = [
  { itag: 134, encoding: 'h264', mimeType: 'video/mp4; codecs="avc1.4d401e"', audio: false, scale: 1, bitrate: 300_000 },
  { itag: 160, encoding: 'h264-small', mimeType: 'video/mp4; codecs="avc1.4d400c"', audio: false, scale: 0.5, bitrate: 90_000 },
  { itag: 243, encoding: 'vp9', mimeType: 'video/webm; codecs="vp9"', audio: false, scale: 1, bitrate: 260_000 },
  {
    itag: 335,
    encoding: 'vp9',
    mimeType: 'video/webm; codecs="vp09.02.51.10.01.09.16.09.00"',
    audio: false,
    scale: 1,
    bitrate: 280_000,
  },
  { itag: 140, encoding: 'aac', mimeType: 'audio/mp4; codecs="mp4a.40.2"', audio: true, scale: 1, bitrate: 64_000 },
  {
    itag: 18,
    encoding: 'both',
    mimeType: 'video/mp4; codecs="avc1.42001E, mp4a.40.2"',
    audio: false,
    scale: 0.5,
    bitrate: 120_000,
  },
  { itag: 251, encoding: 'opus', mimeType: 'audio/webm; codecs="opus"', audio: true, scale: 1, bitrate: 64_000 },
];

function offersOf(video: Video): Offer[] {
  return offers.filter((offer) => {
    if (offer.audio && video.fault?.kind === 'mute') return false;
    if (video.isProcessing && !offer.audio) return offer.encoding === 'h264-small';
    if (offer.itag === 335) return video.extraFormats.includes('hdr');
    if (offer.itag === 18) return video.extraFormats.includes('combined');
    if (offer.encoding === 'vp9' || offer.encoding === 'opus') return video.extraFormats.includes('vp9');
    return offer.encoding !== 'h264-small' || video.extraFormats.includes('ladder');
  });
}

const scaled = (pixels: number, { scale }: Offer) => Math.round(pixels * scale);

/** Parameter of the address of a sound track. */
const xtagsOf = ({ kind, language }: Sound) => `acont=${kind}:lang=${language}`;

/** Returns the file of a format, generated on first use (some seconds); null for an unknown one. `xtags`: of several sound tracks. */
export async function fileOf(
  video: Video,
  { itag, xtags }: { itag: number; xtags?: string | null },
  context: SiteContext,
): Promise<{ file: string; mimeType: string; isForbidden: boolean } | null> {
  const offer = offersOf(video).find((each) => each.itag === itag);
  if (!offer) return null;
  const { sounds } = video;
  const place = offer.audio && sounds ? sounds.findIndex((one) => xtagsOf(one) === xtags) : 0;
  if (place < 0) return null;
  const sound = offer.audio ? sounds?.[place] : undefined;
  const whole = sound?.durationSeconds ?? video.durationSeconds;
  const seconds = video.fault?.kind === 'short' ? whole / 2 : whole;
  const size = offer.encoding === 'both' ? { width: scaled(video.width, offer), height: scaled(video.height, offer) } : {};
  const look = { ...video.look, seed: video.look.seed + place };
  const file = await mediaFile(
    { ...video, ...size, look, durationSeconds: seconds, encoding: offer.encoding },
    context.mediaFolder,
  );
  return { file, mimeType: offer.mimeType, isForbidden: sound?.isForbidden === true };
}

const trackNumber = { original: 4, dubbed: 3, 'dubbed-auto': 10, descriptive: 2 };
const trackSuffix: Partial<Record<Sound['kind'], string>> = { original: ' original', descriptive: ' descriptive' };

/** Returns the fields of a format about its sound track. */
const audioTrackOf = (sound: Sound) => ({
  audioTrack: {
    displayName: `${sound.name}${trackSuffix[sound.kind] ?? ''}`,
    id: `${sound.language}.${trackNumber[sound.kind]}`,
    audioIsDefault: sound.isDefault ?? sound.kind === 'original',
  },
});

/** Returns the player's lists of formats with the sizes of the real files: combined ones, and video and audio for themselves. */
export async function streamingFormats(
  video: Video,
  context: SiteContext,
): Promise<{ formats: object[]; adaptiveFormats: object[] }> {
  const each = offersOf(video).flatMap((offer): { offer: Offer; sound?: Sound }[] =>
    offer.audio && video.sounds ? video.sounds.map((sound) => ({ offer, sound })) : [{ offer }],
  );
  const all = await Promise.all(
    each.map(async ({ offer, sound }) => {
      const xtags = sound && xtagsOf(sound);
      const created = await fileOf(video, { itag: offer.itag, xtags }, context);
      const query = new URLSearchParams({
        id: video.id,
        itag: String(offer.itag),
        expire: '4102444800',
        ...(xtags && { xtags }),
      });
      const height = scaled(video.height, offer);
      return {
        itag: offer.itag,
        mimeType: offer.mimeType,
        ...addressFields(video, offer.itag, new URL(`https://rr1---sn-testSite.googlevideo.com/videoplayback?${query}`)),
        bitrate: offer.bitrate,
        averageBitrate: offer.bitrate,
        contentLength: String(created ? statSync(created.file).size : 0),
        approxDurationMs: String(Math.round(video.durationSeconds * 1000)),
        ...(sound && audioTrackOf(sound)),
        ...(offer.audio
          ? { audioQuality: 'AUDIO_QUALITY_MEDIUM', audioSampleRate: '44100', audioChannels: 2 }
          : { width: scaled(video.width, offer), height, fps: 25, qualityLabel: `${height}p`, quality: 'medium' }),
      };
    }),
  );
  const isCombined = ({ itag }: { itag: number }) => itag === 18;
  return { formats: all.filter(isCombined), adaptiveFormats: all.filter((one) => !isCombined(one)) };
}
