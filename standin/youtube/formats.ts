/** Which files a video offers and where they are. */
import { statSync } from 'node:fs';
import type { Ground } from '#standin/answer.ts';
import type { Video } from '#standin/catalogue.ts';
import { type Encoding, mediaFile } from '#standin/media/encode.ts';

interface Offer {
  itag: number;
  encoding: Encoding;
  mimeType: string;
  audio: boolean;
  /** 1 for the picture's full size, 0.5 for the smaller rung of the ladder. */
  scale: number;
  /** Bits a second, as announced. */
  bitrate: number;
}

const offers: Offer[] = [
  { itag: 134, encoding: 'h264', mimeType: 'video/mp4; codecs="avc1.4d401e"', audio: false, scale: 1, bitrate: 300_000 },
  { itag: 160, encoding: 'h264-small', mimeType: 'video/mp4; codecs="avc1.4d400c"', audio: false, scale: 0.5, bitrate: 90_000 },
  { itag: 243, encoding: 'vp9', mimeType: 'video/webm; codecs="vp9"', audio: false, scale: 1, bitrate: 260_000 },
  { itag: 140, encoding: 'aac', mimeType: 'audio/mp4; codecs="mp4a.40.2"', audio: true, scale: 1, bitrate: 64_000 },
  { itag: 251, encoding: 'opus', mimeType: 'audio/webm; codecs="opus"', audio: true, scale: 1, bitrate: 64_000 },
];

function offersOf(video: Video): Offer[] {
  return offers.filter((offer) => {
    if (offer.audio && video.trouble?.kind === 'mute') return false;
    if (offer.encoding === 'vp9' || offer.encoding === 'opus') return video.extraFormats.includes('vp9');
    return offer.encoding !== 'h264-small' || video.extraFormats.includes('ladder');
  });
}

/** The file behind one format of a video, made now when it does not exist yet (some seconds); null for an unknown itag. */
export async function fileOf(video: Video, itag: number, ground: Ground): Promise<{ file: string; mimeType: string } | null> {
  const offer = offersOf(video).find((each) => each.itag === itag);
  if (!offer) return null;
  const seconds = video.trouble?.kind === 'short' ? video.durationSeconds / 2 : video.durationSeconds;
  const file = await mediaFile({ ...video, durationSeconds: seconds, encoding: offer.encoding }, ground.mediaFolder);
  return { file, mimeType: offer.mimeType };
}

/** The player's list of formats, with the sizes of the real files. */
export async function adaptiveFormats(video: Video, ground: Ground): Promise<object[]> {
  return Promise.all(
    offersOf(video).map(async (offer) => {
      const made = await fileOf(video, offer.itag, ground);
      const query = new URLSearchParams({ id: video.id, itag: String(offer.itag), expire: '4102444800' });
      const height = Math.round(video.height * offer.scale);
      return {
        itag: offer.itag,
        mimeType: offer.mimeType,
        url: `https://rr1---sn-standin.googlevideo.com/videoplayback?${query}`,
        bitrate: offer.bitrate,
        averageBitrate: offer.bitrate,
        contentLength: String(made ? statSync(made.file).size : 0),
        approxDurationMs: String(Math.round(video.durationSeconds * 1000)),
        ...(offer.audio
          ? { audioQuality: 'AUDIO_QUALITY_MEDIUM', audioSampleRate: '44100', audioChannels: 2 }
          : { width: Math.round(video.width * offer.scale), height, fps: 25, qualityLabel: `${height}p`, quality: 'medium' }),
      };
    }),
  );
}
