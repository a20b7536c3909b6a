import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Settings } from '#contract/settings.ts';
import { transfer, type TransferOptions } from './fetch-video.ts';
import { recordingOptions, type Ytdlp } from './options.ts';

// yt-dlp loads the fragments of a stream from its first one on, and ends when it got no new ones for about 35 seconds, also while the
// stream is only interrupted. It is continued then: a `.ytdl` file tells it how many fragments each file has.

/** Fragments in the files of a recording, by file name. */
export type FragmentCounts = Map<string, number>;

const partOf = (path: string) => `${path}.part`;

/** Makes files that yt-dlp has completed partial again. */
async function reopen(folder: string, counts: FragmentCounts): Promise<void> {
  const names = new Set(await readdir(folder));
  for (const [name, index] of counts) {
    if (!names.has(name)) continue;
    await writeFile(join(folder, `${name}.ytdl`), JSON.stringify({ downloader: { current_fragment: { index } } }));
    await rename(join(folder, name), partOf(join(folder, name)));
  }
}

interface RecordOptions extends Omit<TransferOptions, 'options' | 'infoPath' | 'until' | 'onLine'> {
  settings: Settings['downloads'];
  /** Format expression; null: yt-dlp's choice. */
  format: string | null;
  /** Of earlier calls for this folder; updated. */
  counts: FragmentCounts;
  /** Called with the number of a fragment that the site has lost, from 0. */
  onLost(fragment: number): void;
}

/**
 * Records a running stream from its first fragment, or from where an earlier call ended. Returns when there were no new fragments for a
 * while: the stream is over or interrupted.
 * @throws YtdlpFailed, also if the stream does not run; or the reason of the signal
 */
export async function recordLive(
  ytdlp: Ytdlp,
  { settings, format, counts, onLost, onProgress, ...recording }: RecordOptions,
): Promise<void> {
  await reopen(recording.folder, counts);
  let skipped = 0;
  await transfer(ytdlp, {
    ...recording,
    options: recordingOptions(settings, format, ytdlp.poToken),
    // Joining the files is left to the end of the stream.
    until: /^\[Merger\]/,
    onProgress(progress) {
      if (progress.fragments) {
        const { path, count, total } = progress.fragments;
        // Those that were left out are not counted by yt-dlp.
        counts.set(basename(path), Math.min(total, count + skipped));
      }
      onProgress(progress);
    },
    onLine(line) {
      const number = /^\[download\].* Skipping fragment (\d+)/.exec(line)?.[1];
      if (!number) return;
      skipped++;
      onLost(Number(number) - 1);
    },
  });
}

/** Returns the paths of the recorded formats in a folder, complete or not. */
export async function recordedFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => /\.f[-\w]+\.(mp4|m4a|webm|mkv)(\.part)?$/.test(name)).map((name) => join(folder, name));
}

/** Returns the number of fragments that yt-dlp has loaded of a file of a recording; null if it does not say so. */
export async function loadedFragments(path: string): Promise<number | null> {
  const text = await readFile(`${path.replace(/\.part$/, '')}.ytdl`, 'utf8').catch(() => '');
  const index = /"index":\s*(\d+)/.exec(text)?.[1];
  return index === undefined ? null : Number(index);
}
