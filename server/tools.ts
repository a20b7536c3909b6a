import type { Gate } from './egress/gate.ts';
import type { Ffmpeg } from './media/ffmpeg.ts';
import type { Program } from './ytdlp/program.ts';

/** The programs we run, as far as they are there, and the way out to the internet. */
export interface Tools {
  ytdlp: Program | null;
  ffmpeg: Ffmpeg | null;
  readonly gate: Gate;
}
