import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Archive } from '../archive.ts';
import { whatLacks } from '../download/room-left.ts';
import { ChildFailed } from '../child/run.ts';
import { stampOf } from '../http/files.ts';
import { Incomplete } from '../media/probe.ts';
import { bytesOfSound, makeRendition, packingFor } from '../media/rendition.ts';
import { removeFile, syncFile, syncFolder } from '../media/shelf.ts';
import { defineTask } from '../task/task.ts';
import { folderOf, makeRoomFor, makingFolder } from './keep.ts';
import { soundsOf } from './sounds-of.ts';
import { nextWish, settleWish, type Wish } from './wishes.ts';

/** Why a rendition cannot be made; the message is for people. */
class CannotBe extends Error {}

/** Makes one: written beside, looked at, synced, and then given its name. */
async function make(archive: Archive, { videoId, stamp, track: index, withPicture, name }: Wish, signal: AbortSignal) {
  const video = await soundsOf(archive, videoId);
  const { tracks, picture } = video.sounds;
  const track = tracks.find((one) => one.index === index);
  const packing = track && packingFor(video.mediaPath, track, { withPicture });
  if (!packing || video.stamp !== stamp) throw new CannotBe(video.why ?? 'The file is another one by now. Try again.');
  const most = (withPicture ? null : bytesOfSound(track, packing, video.durationSeconds)) ?? video.sizeBytes;
  await makeRoomFor(archive, most);
  const lacks = await whatLacks(archive, archive.config.cacheFolder, most);
  if (lacks) throw new CannotBe(`There is no room for it: ${lacks}`);

  const folder = folderOf(archive, videoId)!;
  const target = join(makingFolder(archive), name);
  await mkdir(makingFolder(archive), { recursive: true });
  await removeFile(target);
  try {
    const mostBytes = Math.max(most, video.sizeBytes) + 16_000_000;
    const wanted = { source: video.source, target, track, picture: withPicture ? picture : null, packing, mostBytes };
    await makeRendition(archive.tools.ffmpeg!, wanted, signal);
    await syncFile(target);
    const now = await archive.db.selectFrom('video').select(['sha256', 'sizeBytes']).where('id', '=', videoId).executeTakeFirst();
    if (!now || stampOf(now) !== stamp) throw new CannotBe('The file is another one by now. Try again.');
    await mkdir(folder, { recursive: true });
    await rename(target, join(folder, name));
    await syncFolder(folder);
  } finally {
    await removeFile(target);
  }
  await makeRoomFor(archive, 0, join(folder, name));
}

/** Why it failed, for people. What a program said is for the log. */
function sentenceOf(problem: unknown): string {
  if (problem instanceof CannotBe || problem instanceof Incomplete) return problem.message;
  const { code } = problem as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk is full. Make room, then try again.';
  return problem instanceof ChildFailed
    ? 'ffmpeg could not make it of this file; the log says why.'
    : 'It could not be made; the log says why.';
}

/** Makes what players wait for, one after the other. */
export const makeRenditions = defineTask({
  name: 'make_renditions',
  title: 'Getting sounds ready',
  group: '',
  isStartable: false,
  isStoppable: true,
  input: z.object({}),

  async run({ signal, report, skip }, archive) {
    let made = 0;
    for (let wish = nextWish(archive); wish; wish = nextWish(archive)) {
      try {
        report({ messages: [`Getting a sound ready: ${wish.name}`] });
        await make(archive, wish, signal);
        settleWish(archive, wish);
        made++;
      } catch (problem) {
        const why = signal.aborted ? 'It was stopped.' : sentenceOf(problem);
        settleWish(archive, wish, why);
        signal.throwIfAborted();
        skip(wish.name, new Error(why), { videoId: wish.videoId, cause: problem });
      }
    }
    return made > 0 ? `${made} sound(s) made ready.` : undefined;
  },
});
