import { join } from 'node:path';
import type { Rendition } from '#contract/rendition.ts';
import type { Archive } from '../archive.ts';
import { notFound, tooMany } from '../http/problem.ts';
import { saidBy } from '../http/said.ts';
import { packingFor } from '../media/rendition.ts';
import { exists } from '../media/shelf.ts';
import { folderOf, noteUse } from './keep.ts';
import { makeRenditions } from './make.ts';
import { soundsOf } from './sounds-of.ts';
import { whyFailed, wishFor } from './wishes.ts';

const answer = (state: Rendition['state'], more: Partial<Rendition> = {}): Rendition => ({
  state,
  media_url: null,
  why: null,
  said: null,
  ...more,
});
const impossible = (why: string) => answer('impossible', { why, said: saidBy(why) });

/** Says where the sound of a video alone is, or its picture with another sound; has it made when it is not there. */
export async function askFor(archive: Archive, id: string, wanted: { track?: number | undefined; picture: boolean }) {
  const video = await soundsOf(archive, id);
  if (video.why !== null) return impossible(video.why);
  const { tracks, picture } = video.sounds;
  if (tracks.length === 0) return impossible('This video has no sound.');
  const track = tracks.find(({ index, isDefault }) => (wanted.track === undefined ? isDefault : index === wanted.track));
  if (!track) throw notFound('audio track');
  const withPicture = wanted.picture && picture !== null;
  // Browsers play the first one, whatever the file says is its default.
  const isFirst = track === tracks[0] && track.isDefault;
  if (isFirst && (withPicture || picture === null)) return answer('file');
  const packing = packingFor(video.mediaPath, track, { withPicture });
  const folder = folderOf(archive, id);
  if (!packing || !folder) return impossible('Of files of this kind no other sound can be played.');
  const name = `${video.stamp}-${withPicture ? 'p' : 's'}${track.index}${packing.ending}`;
  const path = join(folder, name);
  if (await exists(path)) {
    await noteUse(archive, path);
    return answer('ready', { media_url: `/cache/renditions/${encodeURIComponent(id)}/${name}` });
  }
  const wish = { videoId: id, stamp: video.stamp, track: track.index, withPicture, name };
  const why = whyFailed(archive, wish);
  if (why !== null) return impossible(why);
  if (!wishFor(archive, wish)) throw tooMany('Too many sounds are being made ready just now. Try again in a moment.', 10);
  await archive.tasks.start(makeRenditions, {});
  return answer('making');
}
