import { choosePlayback, type MediaFormat } from '../server/features/playback/choose-playback.ts';
import type { Capabilities } from '../contract/playback.ts';

// `npm run bench -- playback`: how long the choice of a source takes, for a browser with many codecs and a file that none of them fits.

const codecs = Array.from({ length: 64 }, (_, at) => `av01.${at % 3}.${String(at).padStart(2, '0')}M.10`);
const can: Capabilities = {
  video: codecs.map((codec) => ({ codec, containers: ['mp4', 'webm', 'x-matroska'], max_height: 2160 })),
  audio: codecs.map((codec) => ({ codec, containers: ['mp4', 'webm', 'x-matroska'] })),
  hdr: false,
  hls: true,
};
const file: MediaFormat = {
  ending: '.mkv',
  video: { codec: 'h264', width: 3840, height: 2160, format: { profile: 'High 10', bitDepth: 10, dynamicRange: 'pq' } },
  audio: Array.from({ length: 8 }, (_, at) => ({ index: at + 1, codec: 'ac3' })),
};

const times: number[] = [];
for (let run = 0; run < 10_000; run++) {
  const from = performance.now();
  choosePlayback(file, can);
  times.push(performance.now() - from);
}
times.sort((a, b) => a - b);
console.log(
  `choice of a source, ms: median ${times[5_000]!.toFixed(4)}, 99.9 % ${times[9_990]!.toFixed(4)}, slowest ${times.at(-1)!.toFixed(3)}`,
);
