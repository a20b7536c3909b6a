import type { SourceProgram } from '#contract/program-import.ts';
import { archive } from './archive.ts';
import { freetube, invidious, libretube, newpipe } from './clients.ts';
import { opml } from './opml.ts';
import { pinchflat } from './pinchflat.ts';
import { tubearchivist } from './tubearchivist.ts';
import { tubesync } from './tubesync.ts';
import type { Program } from './program.ts';
import { takeout } from './takeout.ts';
import { youtarr } from './youtarr.ts';

/** All programs whose data can be imported. */
export const programs: Record<SourceProgram, Program> = {
  pinchflat,
  tubesync,
  youtarr,
  tubearchivist,
  archive,
  takeout,
  newpipe,
  libretube,
  freetube,
  invidious,
  opml,
};
