import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that all tests of a run share; gone with the run. Vitest calls this once, before the first test. */
export default function makeSharedFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'reelkeep-shared-'));
  process.env.REELKEEP_TEST_SHARED = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
