/** A running stream: its formats, and their fragments of a second by number. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Answer, html, notFound, type SiteContext, type SiteRequest } from '../answer.ts';
import type { Stream, Video } from '../catalogue.ts';
import { type Encoding, ffmpeg, mediaFile, once } from '../media/encode.ts';
import { addressFields, hasSolved } from './challenges.ts';

const offers = [
  { itag: 134, encoding: 'h264', mimeType: 'video/mp4; codecs="avc1.4d401e"', bitrate: 300_000 },
  { itag: 140, encoding: 'aac', mimeType: 'audio/mp4; codecs="mp4a.40.2"', bitrate: 64_000 },
] as const satisfies { itag: number; encoding: Encoding; mimeType: string; bitrate: number }[];

/** Returns the formats of a running stream, whose length is not known: from its start, and as a playlist of its last minutes. */
export function liveFormats(video: Video): object {
  const hlsManifestUrl = `https://manifest.googlevideo.com/api/manifest/hls_variant/id/${video.id}/file/index.m3u8`;
  return { formats: [], adaptiveFormats: adaptiveFormats(video), hlsManifestUrl };
}

/** Returns the playlist of a running stream. Its variants are not there, since they are never recorded. */
export function livePlaylist({ width, height }: Video): Answer {
  const lines = [
    '#EXTM3U',
    `#EXT-X-STREAM-INF:BANDWIDTH=364000,CODECS="avc1.4d401e,mp4a.40.2",RESOLUTION=${width}x${height},FRAME-RATE=25`,
    'https://manifest.googlevideo.com/api/manifest/hls_playlist/itag/93/file/index.m3u8',
  ];
  return { type: 'application/vnd.apple.mpegurl', body: lines.join('\n') };
}

function adaptiveFormats(video: Video): object[] {
  return offers.map(({ itag, encoding, mimeType, bitrate }) => {
    const query = new URLSearchParams({ id: video.id, itag: String(itag), expire: '4102444800', live: '1' });
    const { width, height } = video;
    return {
      itag,
      mimeType,
      ...addressFields(video, itag, new URL(`https://rr1---sn-testSite.googlevideo.com/videoplayback?${query}`)),
      bitrate,
      targetDurationSec: video.stream?.fragmentSeconds ?? 1,
      maxDvrDurationSec: 432_000,
      ...(encoding === 'aac'
        ? { audioQuality: 'AUDIO_QUALITY_MEDIUM', audioSampleRate: '44100', audioChannels: 2 }
        : { width, height, fps: 25, qualityLabel: `${height}p`, quality: 'medium' }),
    };
  });
}

/** Splits a fragmented MP4: the first part has the header, every other one a fragment. */
function splitFragments(file: Buffer): Buffer[] {
  const starts: number[] = [];
  for (let at = 0; at < file.length; at += file.readUInt32BE(at)) {
    if (file.toString('latin1', at + 4, at + 8) === 'moof') starts.push(at);
  }
  return starts.map((start, place) => file.subarray(place === 0 ? 0 : start, starts[place + 1] ?? file.length));
}

/** Returns the fragments of the whole stream in a format, generated on first use. */
async function fragmentsOf(video: Video, encoding: Encoding, { mediaFolder }: SiteContext): Promise<Buffer[]> {
  const whole = await mediaFile({ ...video, encoding }, mediaFolder);
  const file = await once(mediaFolder, ['live', path.basename(whole)], 'mp4', (made) =>
    ffmpeg([
      '-i',
      whole,
      // A key frame each second, where a fragment begins.
      ...(encoding === 'aac'
        ? ['-c', 'copy']
        : ['-c:v', 'libx264', '-preset', 'veryfast', '-force_key_frames', 'expr:gte(t,n_forced)']),
      '-movflags',
      encoding === 'aac' ? 'empty_moov+default_base_moof' : 'frag_keyframe+empty_moov+default_base_moof',
      ...(encoding === 'aac' ? ['-frag_duration', '1000000'] : []),
      made,
    ]),
  );
  return splitFragments(await readFile(file));
}

/** Returns a fragment of a running stream (`sq`), or without it only the number of the newest one. */
export async function liveMedia(
  { url: { searchParams: query } }: SiteRequest,
  { video, stream }: { video: Video; stream: Stream },
  context: SiteContext,
): Promise<Answer> {
  const itag = Number(query.get('itag'));
  const offer = offers.find((one) => one.itag === itag);
  if (!offer) return notFound();
  if (!hasSolved(video, itag, query)) return html('Forbidden', 403);
  const type = offer.mimeType.split(';')[0]!;
  const headers = { 'x-head-seqnum': String(stream.fragments - 1) };
  const number = query.get('sq');
  if (number === null) return { type, body: '', headers };
  const isMissing = stream.missing?.includes(Number(number)) === true;
  const fragment =
    Number(number) < stream.fragments && !isMissing ? (await fragmentsOf(video, offer.encoding, context))[Number(number)] : null;
  return fragment ? { type, body: fragment, headers } : notFound();
}
