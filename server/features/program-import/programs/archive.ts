import { videoOf, type ForeignVideo } from '../item/item.ts';
import { readLines } from '../source/read.ts';
import { problem, readEach, unreadable, type Program } from './program.ts';

/** Parses a line of yt-dlp's download archive: `<extractor> <id>`. */
function parseLine(line: string): ForeignVideo | null {
  const [, extractor, id] = /^(\S{1,60}) +(\S{1,300})$/.exec(line.trim()) ?? [];
  return extractor && id ? videoOf(extractor, id) : null;
}

/** yt-dlp's `--download-archive` file. */
export const archive: Program = {
  name: 'yt-dlp',
  takes: ['ignored', 'have'],
  standard: ['ignored'],
  isWanted: (name) => /\.(txt|list|archive)$/i.test(name),
  read: ({ source, signal }) =>
    readEach(source.files, { source, signal }, async function* (file) {
      for await (const line of readLines(file, signal)) {
        if (line?.trim() === '') continue;
        const video = line === null ? null : parseLine(line);
        if (!video) yield problem(line?.slice(0, 100) ?? file.name, unreadable);
        else {
          yield { what: 'ignored', video };
          yield { what: 'have', video };
        }
      }
    }),
};
