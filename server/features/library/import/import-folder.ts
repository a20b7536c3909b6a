import { message, messages, type Message } from '#contract/messages.ts';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { MessageError } from '../../../platform/messages/message-error.ts';
import { importFolder } from '../../../platform/config/data-folder.ts';
import { defineTask, type TaskWork } from '../../../platform/context/task.ts';
import { walkGroups } from './group-files.ts';
import { identifiers, type IdentifiedBy } from './identify.ts';
import { finishPendingDeletions } from './delete-originals.ts';
import { readForeignMetadata } from './read-foreign-metadata.ts';
import { importFile } from './import-file.ts';
import { ImportInput, NoSpaceError, skippedReason, type ImportContext } from './context.ts';
import { whyMediaUnavailable } from '../../../archive/storage/mount-check.ts';
import { isDiskFull } from '../../../platform/files/free-space.ts';

interface ImportCounts {
  imported: Map<IdentifiedBy, number>;
  alreadyArchived: number;
  /** Number of files that were not imported. */
  left: number;
  /** Number of unusable files. */
  rest: number;
}

const most = 500;

const nothingIn = (rest: number) =>
  rest === 0 ? message('import.nothing') : message('import.nothing-importable', { count: rest });

/** Describes the result. A dry run also lists the identification methods and every problem. */
function describeResult({ imported, alreadyArchived, left, rest }: ImportCounts, isDry: boolean): Message[] {
  const total = [...imported.values()].reduce((sum, count) => sum + count, 0);
  if (total + alreadyArchived + left === 0) return [nothingIn(rest)];
  const how = (Object.keys(identifiers) as IdentifiedBy[])
    .filter((way) => imported.has(way))
    .map((way) =>
      message('count.with-note', {
        counted: message(`count.${way}`, { count: imported.get(way)! }),
        note: message('count.confidence', { count: Math.round(identifiers[way].confidence * 100) }),
      }),
    );
  const videos = message('count.video', { count: total });
  return [
    isDry
      ? total > 0
        ? message('import.dry-run', { videos, how: { list: how } })
        : message('import.dry-run-none', { videos })
      : message('import.imported', { count: total }),
    ...(alreadyArchived > 0 ? [message('import.already-archived-count', { count: alreadyArchived })] : []),
    ...(left > 0 ? [message(isDry ? 'import.dry-run-left' : 'import.left-count', { count: left })] : []),
    ...(rest > 0 ? [message('import.others-left', { count: rest })] : []),
  ];
}

/** Counts the videos for the progress display, and finds metadata of other programs. */
async function scanFolder(folder: string, signal: AbortSignal) {
  let total = 0;
  const states: string[] = [];
  for await (const found of walkGroups(folder)) {
    signal.throwIfAborted();
    if ('group' in found) total++;
    else if ('state' in found) states.push(found.state);
  }
  return { total, states };
}

async function importGroups(before: Omit<ImportContext, 'notes'>): Promise<ImportCounts> {
  const { app, work } = before;
  const { signal, report, skip } = work;
  const folder = importFolder(app.config);
  const counts: ImportCounts = { imported: new Map(), alreadyArchived: 0, left: 0, rest: 0 };
  const rest: { path: string; why: Message }[] = [];
  const reportUnimported: typeof skip = (path, why, about) => {
    counts.left++;
    skip(path, why, about);
  };
  report({ messages: [message('import.scanning')] });
  const { total, states } = await scanFolder(folder, signal);
  const notes = await readForeignMetadata(states, { folder, signal, skip, isDry: work.input.dry_run });
  const importing: ImportContext = { ...before, notes };
  let place = 0;
  for await (const found of walkGroups(folder)) {
    signal.throwIfAborted();
    if ('state' in found) continue;
    if (!('group' in found)) {
      if (found.isRest) {
        counts.rest++;
        if (rest.length < most) rest.push(found);
      } else reportUnimported(found.path, found.why);
      continue;
    }
    const { group } = found;
    const progress = Math.min(1, place++ / Math.max(1, total));
    const first = message('queue.input-progress', { text: group.path, place, count: total });
    report({ messages: [first], progress });
    const ownReport: typeof report = ({ messages }) => report({ messages: [first, ...messages], progress });
    try {
      const outcome = await importFile({ ...importing, work: { ...work, report: ownReport } }, group);
      if (outcome.what === 'brought in') {
        counts.imported.set(outcome.way, (counts.imported.get(outcome.way) ?? 0) + 1);
        const why = message('import.confidence', { count: Math.round(identifiers[outcome.way].confidence * 100) });
        work.note({ kind: 'new', what: group.path, why, ...(outcome.id && { videoId: outcome.id }) });
      } else {
        counts.alreadyArchived++;
        skip(group.path, message('import.already-archived'));
      }
    } catch (problem) {
      signal.throwIfAborted(); // a stop is not a failure
      if (problem instanceof NoSpaceError) throw problem;
      if (isDiskFull(problem)) throw new NoSpaceError(message('import.disk-full'));
      reportUnimported(group.path, skippedReason(problem), { cause: problem });
    }
  }
  // Unusable files are listed only in a dry run, or if the folder contains nothing else.
  if (work.input.dry_run || place + counts.left === 0) for (const { path, why } of rest) skip(path, why);
  return counts;
}

/** Imports the import folder once. Returns the result; throws if the run cannot continue. */
export async function importFolderContents(app: AppContext, work: TaskWork<ImportInput>): Promise<Message[]> {
  const { ffmpeg } = app.tools;
  if (!ffmpeg) throw new MessageError(message('import.no-ffmpeg'));
  // Originals are deleted after publishing, so the media folder must be the right one.
  const why = await whyMediaUnavailable(app);
  if (why) throw new MessageError(why);
  if (!work.input.dry_run) await finishPendingDeletions(app);
  const lines: Message[] = [];
  const skip: typeof work.skip = (what, why, about) => {
    if (lines.length < most)
      lines.push(message('import.line', { what, why: why instanceof Error ? skippedReason(why) : [why].flat() }));
    work.skip(what, why, about);
  };
  const seen = { ids: new Set<string>(), channels: new Set<string>(), requests: 0 };
  const counts = await importGroups({ app, ffmpeg, work: { ...work, skip }, seen });
  const result = describeResult(counts, work.input.dry_run);
  // A dry run lists every problem.
  return work.input.dry_run ? [...result, ...lines] : result;
}

/** Imports the videos in the import folder. */
export const manualImport = defineTask<ImportInput>({
  name: 'manual_import',
  title: messages['task.manual_import'],
  group: 'setting:import',
  isStartable: true,
  isStoppable: false,
  needs: ['ytdlp', 'ffmpeg'],
  input: ImportInput,
  run: (work, app) => importFolderContents(app, work),
});
