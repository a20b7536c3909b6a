import { message } from '#contract/messages.ts';
import type { Settings } from '#contract/settings.ts';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { TaskWork } from '../../platform/context/task.ts';
import { removeFile } from '../../platform/files/files.ts';
import { endingWithSounds, joinSounds, verifySound, type AddedSound } from '../../platform/media/join-sounds.ts';
import { probe } from '../../platform/media/probe.ts';
import { messagesOf } from '../../platform/messages/message-error.ts';
import { fetchSound, type FetchedVideo } from '../../platform/ytdlp/fetch-video.ts';
import { readJson } from '../../platform/ytdlp/info.ts';
import { chooseSounds, type Sound } from '../../platform/ytdlp/sounds.ts';
import { ytdlpSession } from '../sites/ytdlp-session.ts';
import { stageReport, transferReport } from './download-report.ts';
import type { QueueItem } from '../queue/claims.ts';

interface AddSoundsOptions {
  item: QueueItem;
  /** Work folder of the download. */
  folder: string;
  fetched: FetchedVideo;
  settings: Settings['downloads'];
}

/**
 * Fetches the sounds in the wanted languages that the site offers and joins them to a downloaded video, next to its file. Returns
 * the path of the media file and the added sounds. A sound that cannot be fetched is reported and left out.
 */
export async function addSounds(
  app: AppContext,
  { item, folder, fetched, settings }: AddSoundsOptions,
  { signal, report, skip }: Pick<TaskWork<unknown>, 'signal' | 'report' | 'skip'>,
): Promise<{ mediaPath: string; sounds: Sound[] }> {
  const ffmpeg = app.tools.ffmpeg!;
  const media = fetched.mediaPath;
  const json = readJson(await readFile(fetched.infoPath, 'utf8'));
  const offered = chooseSounds(json, settings);
  const asItIs = { mediaPath: media, sounds: [] };
  if (offered.length === 0) return asItIs;
  const ytdlp = await ytdlpSession(app);
  const { durationSeconds } = await probe(ffmpeg, media, signal);
  const leaveOut = (language: string, cause: unknown) => {
    signal.throwIfAborted();
    skip(item.title, [message('download.sound-missing', { language }), ...messagesOf(cause)], { videoId: item.id, cause });
  };
  const sounds: (AddedSound & Sound)[] = [];
  for (const sound of offered) {
    const { language, kind } = sound;
    try {
      report(stageReport(item, message('download.sound', { language })));
      const path = await fetchSound(ytdlp, {
        url: item.url,
        folder,
        infoPath: fetched.infoPath,
        sound,
        settings,
        signal,
        onProgress: (now) => report(transferReport(item, now)),
        onStage: () => {},
      });
      const codec = await verifySound(ffmpeg, path, durationSeconds, signal).catch(async (error: unknown) => {
        await removeFile(path);
        throw error;
      });
      sounds.push({ path, language, kind, codec });
    } catch (problem) {
      leaveOut(language, problem);
    }
  }
  if (sounds.length === 0) return asItIs;
  report(stageReport(item, message('download.merging')));
  try {
    const target = join(folder, `joined${endingWithSounds(media, sounds)}`);
    await joinSounds(ffmpeg, { media, language: fetched.info.sound.language, sounds, target }, signal);
    return { mediaPath: target, sounds: sounds.map(({ language, kind }) => ({ language, kind })) };
  } catch (problem) {
    for (const { language } of sounds) leaveOut(language, problem);
    app.log.warn({ id: item.id, file: basename(media), err: problem }, 'cannot join sounds');
    return asItIs;
  }
}
