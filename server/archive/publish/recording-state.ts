import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { exists, writeAtomically } from '../../platform/files/files.ts';
import { endReasons } from '../video/recording.ts';

// A recording in a work folder, whose stream may be gone: neither its age nor a stop removes it, and it is joined instead of downloaded.

const RecordingState = z.object({
  /** Why the recording ended before the stream; null: it did not, or has not ended. */
  reason: z.enum(endReasons).nullable(),
  /** Numbers of the fragments that are missing, from 0. */
  lost: z.array(z.int().min(0)),
  /** Length of a fragment in seconds; null if it is not known yet. */
  fragmentSeconds: z.number().positive().nullable(),
});
export type RecordingState = z.infer<typeof RecordingState>;

const pathIn = (folder: string) => join(folder, 'recording.json');

/** Whether a work folder has a recording. */
export const hasRecording = (folder: string) => exists(pathIn(folder));

/** Returns the state of a recording: that of a new one if there is none, or none that can be read. */
export async function readRecordingState(folder: string): Promise<RecordingState> {
  const text = await readFile(pathIn(folder), 'utf8').catch(() => '{}');
  const fresh = { reason: null, lost: [], fragmentSeconds: null };
  try {
    return RecordingState.parse(JSON.parse(text));
  } catch {
    return fresh;
  }
}

export const writeRecordingState = (folder: string, state: RecordingState) =>
  writeAtomically(pathIn(folder), JSON.stringify(state));
