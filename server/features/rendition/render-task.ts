import { MessageError } from '../../platform/messages/message-error.ts';
import { message, messages, type Message } from '#contract/messages.ts';
import type { Chapter } from '#contract/video.ts';
import { mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { AppContext } from '../../platform/context/app-context.ts';
import { missingSpace } from '../../archive/storage/disk-space.ts';
import { ProcessError } from '../../platform/process/run.ts';
import { etagOf } from '../../platform/http/files/media-types.ts';
import { IncompleteFileError } from '../../platform/media/probe.ts';
import { audioPackingFor } from '../../platform/media/audio-packing.ts';
import { estimateAudioBytes, makeRendition } from '../../platform/media/rendition.ts';
import { removeFile, syncFile, syncFolder } from '../../platform/files/files.ts';
import { defineTask } from '../../platform/context/task.ts';
import { StorageError } from '../../platform/storage/file-store.ts';
import { resolveStoredPath } from '../../platform/storage/stored-path.ts';
import { renditionPrefixOf, partialRenditionsFolder } from '../../archive/storage/rendition-files.ts';
import { freeSpaceFor } from './rendition-cache.ts';
import { audioTracksOf } from './audio-tracks-of-video.ts';
import { nextRequest, finishRequest, type RenditionRequest } from './request-queue.ts';
import { isDiskFull } from '../../platform/files/free-space.ts';

/** A rendition cannot be created; the message is for the user. */
class CannotBe extends MessageError {}

/** Creates a rendition: writes a temporary file, verifies it, syncs it, then renames and saves it. */
async function make(app: AppContext, { videoId, stamp, track: index, name, ...flags }: RenditionRequest, signal: AbortSignal) {
  const [withPicture, onlyM4a] = [flags.withPicture === 1, flags.onlyM4a === 1];
  const video = await audioTracksOf(app, videoId);
  const { tracks, picture } = video.sounds;
  const track = tracks.find((one) => one.index === index);
  const packing = track && audioPackingFor(video.mediaPath, track, { withPicture, onlyM4a });
  if (!packing || video.stamp !== stamp) throw new CannotBe(video.why ?? message('rendition.file-changed'));
  const most = (withPicture ? null : estimateAudioBytes(track, packing, video.durationSeconds)) ?? video.sizeBytes;
  await freeSpaceFor(app, most);
  const lacks = await missingSpace(app, app.config.cacheFolder, most);
  if (lacks) throw new CannotBe(message('rendition.no-space', lacks));

  const path = `${renditionPrefixOf(videoId)!}${name}`;
  const finished = resolveStoredPath(app, path);
  const target = join(partialRenditionsFolder(app), name);
  await mkdir(partialRenditionsFolder(app), { recursive: true });
  await removeFile(target);
  try {
    const maxBytes = Math.max(most, video.sizeBytes) + 16_000_000;
    const source = await app.files.localPath(video.mediaPath, signal);
    const { artist, chapters } = await app.db
      .selectFrom('video')
      .innerJoin('channel', 'channel.id', 'video.channelId')
      .select(['channel.name as artist', 'video.chapters'])
      .where('video.id', '=', videoId)
      .executeTakeFirstOrThrow();
    const tags = { title: video.title, artist };
    const content = { track, picture: withPicture ? picture : null, tags, chapters: JSON.parse(chapters) as Chapter[] };
    await makeRendition(app.tools.ffmpeg!, { source, target, ...content, packing, maxBytes }, signal);
    await syncFile(target);
    const now = await app.db.selectFrom('video').select(['sha256', 'sizeBytes']).where('id', '=', videoId).executeTakeFirst();
    if (!now || etagOf(now) !== stamp) throw new CannotBe(message('rendition.file-changed'));
    await mkdir(dirname(finished), { recursive: true });
    await rename(target, finished);
    await syncFolder(dirname(finished));
    await app.files.save(path, signal);
  } finally {
    await removeFile(target);
  }
  await freeSpaceFor(app, 0, path);
}

/** Returns the failure as messages for the user. Output of the program goes to the log. */
function whyFailed(problem: unknown): Message[] {
  if (problem instanceof CannotBe || problem instanceof IncompleteFileError || problem instanceof StorageError)
    return problem.messages;
  if (isDiskFull(problem)) return [message('error.disk')];
  return [problem instanceof ProcessError ? message('rendition.ffmpeg') : message('rendition.failed')];
}

/** Renders requested files one after the other. */
export const renderTask = defineTask({
  name: 'make_renditions',
  title: messages['task.make_renditions'],
  group: '',
  isStartable: false,
  isStoppable: true,
  needs: ['ffmpeg'],
  input: z.object({}),

  async run({ signal, report, skip }, app) {
    let made = 0;
    for (let request = await nextRequest(app); request; request = await nextRequest(app)) {
      try {
        report({ messages: [message('rendition.running', { name: request.name })] });
        await make(app, request, signal);
        await finishRequest(app, request);
        made++;
      } catch (problem) {
        const why = signal.aborted ? [message('rendition.stopped')] : whyFailed(problem);
        await finishRequest(app, request, why);
        signal.throwIfAborted();
        skip(request.name, why, { videoId: request.videoId, cause: problem });
      }
    }
    return made > 0 ? message('rendition.done', { count: made }) : undefined;
  },
});
