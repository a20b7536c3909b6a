import type { RunNote } from '#contract/runs.ts';

/** What became of a file of the import folder. */
interface FileResult {
  file: string;
  outcome: 'imported' | 'there' | 'left';
  /** Path notes of the run about the file. */
  notes: RunNote[];
  /** The archived video. */
  videoId: string | null;
}

/** Collects the log of an import by file. Files that were not imported come first. */
export function resultsOf(notes: RunNote[]): FileResult[] {
  const byFile = new Map<string, RunNote[]>();
  for (const note of notes) if (note.kind !== 'step') byFile.set(note.what, [...(byFile.get(note.what) ?? []), note]);
  const results = [...byFile].map(([file, some]): FileResult => {
    const imported = some.find(({ kind }) => kind === 'new');
    const isThere = some.some((note) => note.why_messages?.some(({ id }) => id === 'import.already-archived'));
    return {
      file,
      outcome: imported ? 'imported' : isThere ? 'there' : 'left',
      notes: some,
      videoId: imported?.place === 'archive' ? imported.youtube_id : null,
    };
  });
  const order = { left: 0, imported: 1, there: 2 };
  return results.toSorted((a, b) => order[a.outcome] - order[b.outcome]);
}
