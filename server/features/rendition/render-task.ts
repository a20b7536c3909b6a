import { message, messages } from '#contract/messages.ts';
import type { Chapter } from '#contract/video.ts';
import { z } from 'zod';
import { mediaTagsOf } from '../../archive/video/music.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { audioPackingFor } from '../../platform/media/audio-packing.ts';
import { estimateAudioBytes, makeRendition } from '../../platform/media/rendition.ts';
import { defineTask } from '../../platform/context/task.ts';
import { audioTracksOf } from './audio-tracks-of-video.ts';
import { nextRequest, finishRequest, type RenditionRequest } from './request-queue.ts';
import { noTrack, packingOfName } from './rendition-name.ts';
import { CannotBe, whyFailed, writeRendition } from './write-rendition.ts';

/** Creates a rendition. */
async function make(app: AppContext, { videoId, stamp, track: index, name, ...flags }: RenditionRequest, signal: AbortSignal) {
  const [withPicture, onlyM4a] = [flags.withPicture === 1, flags.onlyM4a === 1];
  const video = await audioTracksOf(app, videoId);
  const { tracks, picture } = video.sounds;
  const track = tracks.find((one) => one.index === index) ?? null;
  const packing =
    (track || index === noTrack) &&
    (withPicture ? packingOfName(name) : audioPackingFor(video.mediaPath, track!, { withPicture, onlyM4a }));
  if (!packing || video.stamp !== stamp) throw new CannotBe(video.why ?? message('rendition.file-changed'));
  const bytes = (withPicture ? null : estimateAudioBytes(track!, packing, video.durationSeconds)) ?? video.sizeBytes;
  const maxBytes = Math.max(bytes, video.sizeBytes) + 16_000_000;
  const { chapters, ...row } = await app.db
    .selectFrom('video')
    .innerJoin('channel', 'channel.id', 'video.channelId')
    .select(['video.title', 'video.music', 'video.musicEdit', 'channel.name as channelName', 'video.chapters'])
    .where('video.id', '=', videoId)
    .executeTakeFirstOrThrow();
  const tags = mediaTagsOf(row);
  const content = { track, picture: withPicture ? picture : null, tags, chapters: JSON.parse(chapters) as Chapter[] };
  await writeRendition(
    app,
    {
      video,
      name,
      bytes,
      whyNoSpace: (lacks) => message('rendition.no-space', lacks),
      write: (files) => makeRendition(app.tools.ffmpeg!, { ...files, ...content, packing, maxBytes }, signal),
    },
    signal,
  );
}

const failureTexts = { program: message('rendition.ffmpeg'), other: message('rendition.failed') };

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
        const why = signal.aborted ? [message('rendition.stopped')] : whyFailed(problem, failureTexts);
        await finishRequest(app, request, why);
        signal.throwIfAborted();
        skip(request.name, why, { videoId: request.videoId, cause: problem });
      }
    }
    return made > 0 ? message('rendition.done', { count: made }) : undefined;
  },
});
