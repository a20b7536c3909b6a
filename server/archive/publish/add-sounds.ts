import { message } from '#contract/messages.ts';
import type { Settings } from '#contract/settings.ts';
import { readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { TaskWork } from '../../platform/context/task.ts';
import { removeFile } from '../../platform/files/files.ts';
import { endingWithSounds, joinSounds, verifySound, type AddedSound } from '../../platform/media/join-sounds.ts';
import { probe } from '../../platform/media/probe.ts';
import { messagesOf } from '../../platform/messages/message-error.ts';
import { fetchSound, type FetchedVideo } from '../../platform/ytdlp/fetch-video.ts';
import { readJson } from '../../platform/ytdlp/info.ts';
import { chooseSounds, type OfferedSound, type Sound } from '../../platform/ytdlp/sounds.ts';
import { ytdlpSession } from '../sites/ytdlp-session.ts';
import { stageReport, transferReport } from './download-report.ts';

/** A fetched sound, and what the site says of it. */
export type FetchedSound = AddedSound & { kind: OfferedSound['kind'] };

interface FetchSoundsOptions {
  /** The video, for reports. */
  item: { id: string; title: string };
  url: string;
  /** The sounds are written into it. */
  folder: string;
  infoPath: string;
  offered: OfferedSound[];
  /** Path of the media file. */
  media: string;
  settings: Settings['downloads'];
}

type Work = Pick<TaskWork<unknown>, 'signal' | 'report' | 'skip'>;

/** Reports that a video goes without a sound. */
function reportMissing({ id, title }: FetchSoundsOptions['item'], language: string, cause: unknown, { signal, skip }: Work) {
  signal.throwIfAborted();
  skip(title, [message('download.sound-missing', { language }), ...messagesOf(cause)], { videoId: id, cause });
}

/** Fetches sounds for a video and verifies them. One that cannot be fetched is reported and left out. */
export async function fetchSounds(
  app: AppContext,
  { item, offered, media, ...fetching }: FetchSoundsOptions,
  work: Work,
): Promise<FetchedSound[]> {
  const { signal, report } = work;
  const ffmpeg = app.tools.ffmpeg!;
  const ytdlp = await ytdlpSession(app);
  const { durationSeconds } = await probe(ffmpeg, media, signal);
  const sounds: FetchedSound[] = [];
  for (const sound of offered) {
    const { language, kind } = sound;
    try {
      report(stageReport(item, message('download.sound', { language })));
      const path = await fetchSound(ytdlp, {
        ...fetching,
        sound,
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
      reportMissing(item, language, problem, work);
    }
  }
  return sounds;
}

interface AddSoundsOptions extends Pick<FetchSoundsOptions, 'item' | 'url' | 'folder' | 'settings'> {
  fetched: FetchedVideo;
}

/**
 * Fetches the sounds in the wanted languages that the site offers and joins them to a downloaded video, next to its file. Returns
 * the path of the media file and the added sounds. A sound that cannot be fetched is reported and left out.
 */
export async function addSounds(
  app: AppContext,
  { item, folder, fetched, ...fetching }: AddSoundsOptions,
  work: Work,
): Promise<{ mediaPath: string; sounds: Sound[] }> {
  const { mediaPath: media, infoPath, info } = fetched;
  const json = readJson(await readFile(infoPath, 'utf8'));
  const offered = chooseSounds(json, { ...fetching.settings, mediaEnding: extname(media) });
  const asItIs = { mediaPath: media, sounds: [] };
  if (offered.length === 0) return asItIs;
  const sounds = await fetchSounds(app, { ...fetching, item, folder, infoPath, offered, media }, work);
  if (sounds.length === 0) return asItIs;
  work.report(stageReport(item, message('download.merging')));
  try {
    const target = join(folder, `joined${endingWithSounds(media, sounds)}`);
    await joinSounds(app.tools.ffmpeg!, { media, language: info.sound.language, sounds, target }, work.signal);
    return { mediaPath: target, sounds };
  } catch (problem) {
    for (const { language } of sounds) reportMissing(item, language, problem, work);
    app.log.warn({ id: item.id, file: basename(media), err: problem }, 'cannot join sounds');
    return asItIs;
  }
}
