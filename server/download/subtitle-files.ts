import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readText } from '../media/read-text.ts';
import { writeWhole } from '../media/shelf.ts';
import { cuesOf, cuesOfVtt, vttOf, type Cue } from '../media/subtitle.ts';
import type { Work } from '../task/task.ts';

interface Written {
  lang: string;
  source: FoundSubtitle['source'];
  name: string;
  file: string;
  cues: Cue[];
}

/** Of a file with subtitles. */
export const mostBytes = 20 * 1024 * 1024;

/** A subtitle file as it was found: WebVTT, SRT or json3. */
export interface FoundSubtitle {
  lang: string;
  /** Written by people, made by the site, or taken out of the video file. */
  source: 'user' | 'auto' | 'file';
  name: string;
  path: string;
}

const cleanLang = /^[A-Za-z0-9-]{1,35}$/;

/**
 * Writes each subtitle anew as WebVTT beside the media, named by its language. One that cannot be read is a line in the
 * report, and the video goes on without it. A written track is taken before an automatic one of the same language.
 */
export async function writeSubtitles(folder: string, fetched: FoundSubtitle[], skip: Work<unknown>['skip']) {
  const written = new Map<string, Written>();
  for (const { lang, source, name, path } of fetched) {
    if (!cleanLang.test(lang) || (written.has(lang) && source === 'auto')) continue;
    try {
      if ((await stat(path)).size > mostBytes) throw new Error('larger than 20 MB');
      const text = await readText(path);
      const cues = path.endsWith('.json3') ? cuesOf(text) : cuesOfVtt(text);
      if (cues.length === 0) continue;
      const file = `subtitle.${lang}.vtt`;
      await writeWhole(join(folder, file), vttOf(cues, lang));
      written.set(lang, { lang, source, name, file, cues });
    } catch (problem) {
      skip(`Subtitles ${lang}`, problem);
    }
  }
  return [...written.values()];
}
