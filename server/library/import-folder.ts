import type { Archive } from '../archive.ts';
import { counted } from '../counted.ts';
import { importFolder } from '../data-folder.ts';
import { defineTask, type Work } from '../task/task.ts';
import { walk } from './import-groups.ts';
import { ways, type Way } from './import-identify.ts';
import { finishEarlier } from './import-journal.ts';
import { readNotes } from './import-notes.ts';
import { importOne } from './import-one.ts';
import { ImportInput, NoRoom, whyLeft, type Importing } from './importing.ts';
import { whyNotBelieved } from './media-marker.ts';

interface Tally {
  broughtIn: Map<Way, number>;
  thereAlready: number;
  /** How many were left where they are. */
  left: number;
  /** How many files nothing can be made of. */
  rest: number;
}

const most = 500;
const videos = (count: number) => counted(count, { one: 'video', other: 'videos' });

function leftWord(count: number, isDry: boolean): string {
  const where = count === 1 ? 'it is' : 'they are';
  if (isDry) return `would be left where ${where}`;
  return `${count === 1 ? 'was' : 'were'} left where ${where}`;
}

const nothingIn = (rest: number) =>
  rest === 0
    ? 'There is nothing in the import folder.'
    : `Nothing in the import folder can be brought in. Files that stay where they are: ${rest}.`;

/** The result as a sentence; a look beforehand also tells how sure each was, and every problem. */
function sentenceOf({ broughtIn, thereAlready, left, rest }: Tally, isDry: boolean): string {
  const total = [...broughtIn.values()].reduce((sum, count) => sum + count, 0);
  if (total + thereAlready + left === 0) return nothingIn(rest);
  const how = (Object.keys(ways) as Way[])
    .filter((way) => broughtIn.has(way))
    .map((way) => `${broughtIn.get(way)} ${ways[way].words} (${Math.round(ways[way].confidence * 100)} % sure)`);
  return [
    isDry ? `Would bring in ${videos(total)}` : `Brought in ${videos(total)}`,
    isDry && total > 0 ? `: ${how.join(', ')}.` : '.',
    thereAlready > 0 ? ` ${videos(thereAlready)} ${thereAlready === 1 ? 'is' : 'are'} in the archive already.` : '',
    left > 0 ? ` ${left} ${leftWord(left, isDry)}.` : '',
    rest > 0 ? ` Other files that stay where they are: ${rest}.` : '',
  ].join('');
}

/** How many videos there seem to be, so that progress can be told; and where other programs noted what theirs are. */
async function lookThrough(folder: string, signal: AbortSignal) {
  let total = 0;
  const states: string[] = [];
  for await (const found of walk(folder)) {
    signal.throwIfAborted();
    if ('group' in found) total++;
    else if ('state' in found) states.push(found.state);
  }
  return { total, states };
}

async function goThrough(before: Omit<Importing, 'notes'>): Promise<Tally> {
  const { archive, work } = before;
  const { signal, report, skip } = work;
  const folder = importFolder(archive.config);
  const tally: Tally = { broughtIn: new Map(), thereAlready: 0, left: 0, rest: 0 };
  const rest: { path: string; why: string }[] = [];
  const leave = (path: string, why: string) => {
    tally.left++;
    skip(path, why);
  };
  report({ messages: ['Looking through the import folder.'] });
  const { total, states } = await lookThrough(folder, signal);
  const notes = await readNotes(states, { folder, signal, skip, isDry: work.input.dry_run });
  const importing: Importing = { ...before, notes };
  let place = 0;
  for await (const found of walk(folder)) {
    signal.throwIfAborted();
    if ('state' in found) continue;
    if (!('group' in found)) {
      if (found.isRest) {
        tally.rest++;
        if (rest.length < most) rest.push(found);
      } else leave(found.path, found.why);
      continue;
    }
    const { group } = found;
    const progress = Math.min(1, place++ / Math.max(1, total));
    const first = `${group.path} (${place}/${total})`;
    report({ messages: [first], progress });
    const ownReport: typeof report = ({ messages }) => report({ messages: [first, ...messages], progress });
    try {
      const outcome = await importOne({ ...importing, work: { ...work, report: ownReport } }, group);
      if (outcome.what === 'brought in') tally.broughtIn.set(outcome.way, (tally.broughtIn.get(outcome.way) ?? 0) + 1);
      else {
        tally.thereAlready++;
        skip(group.path, 'It is in the archive already, and was left alone.');
      }
    } catch (problem) {
      signal.throwIfAborted(); // stopped is not failed
      if (problem instanceof NoRoom) throw problem;
      if ((problem as NodeJS.ErrnoException).code === 'ENOSPC')
        throw new NoRoom('The disk is full. Make room, then start the import again.');
      leave(group.path, whyLeft(problem));
    }
  }
  // Beside videos nobody wants to hear of each; who only looks does, and where there is nothing else, people wonder.
  if (work.input.dry_run || place + tally.left === 0) for (const { path, why } of rest) skip(path, why);
  return tally;
}

/** Goes once through the import folder. Answers the sentence of the result; throws when nothing more can be done. */
export async function importAll(archive: Archive, work: Work<ImportInput>): Promise<string> {
  const { ffmpeg } = archive.tools;
  if (!ffmpeg) throw new Error('ffmpeg is not there, so nothing can be checked. The import folder stays as it is.');
  // Originals go when their video is on the shelf: it had better be the right one.
  const why = await whyNotBelieved(archive);
  if (why) throw new Error(why);
  if (!work.input.dry_run) await finishEarlier(archive);
  const lines: string[] = [];
  const skip: typeof work.skip = (what, why) => {
    if (lines.length < most) lines.push(`${what}: ${whyLeft(why)}`);
    work.skip(what, why);
  };
  const seen = { ids: new Set<string>(), channels: new Set<string>(), asked: 0 };
  const tally = await goThrough({ archive, ffmpeg, work: { ...work, skip }, seen });
  const sentence = sentenceOf(tally, work.input.dry_run);
  // Who looks beforehand wants to see every problem.
  return work.input.dry_run ? [sentence, ...lines].join('\n') : sentence;
}

/** Brings the videos of the import folder into the archive. */
export const manualImport = defineTask<ImportInput>({
  name: 'manual_import',
  title: 'Manual video import',
  group: 'setting:import',
  isStartable: true,
  isStoppable: false,
  input: ImportInput,
  run: (work, archive) => importAll(archive, work),
});
