import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findProgram } from '../process/find-program.ts';
import { run } from '../process/run.ts';
import { installPinned } from './pip.ts';

const { signal } = new AbortController();
const python = await findProgram('python3');

// A minimal package with one module.
const writeWheel = `
import sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1], 'w')
wheel.writestr('thing.py', '')
wheel.writestr('thing-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: thing\\nVersion: 1.0\\n')
wheel.writestr('thing-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
wheel.writestr('thing-1.0.dist-info/RECORD', 'thing.py,,\\nthing-1.0.dist-info/METADATA,,\\nthing-1.0.dist-info/WHEEL,,\\nthing-1.0.dist-info/RECORD,,\\n')
wheel.close()
`;

describe.runIf(python)('installing a pinned package', () => {
  let folder: string;
  let sha256: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelkeep-pip-'));
    const wheel = join(folder, 'thing-1.0-py3-none-any.whl');
    await run(python!, ['-c', writeWheel, wheel], { cwd: folder, signal });
    sha256 = createHash('sha256')
      .update(await readFile(wheel))
      .digest('hex');
    vi.stubEnv('PIP_NO_INDEX', '1');
    vi.stubEnv('PIP_FIND_LINKS', folder);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });
  const install = (sum: string) =>
    installPinned([{ name: 'thing', version: '1.0', sha256: [sum] }], join(folder, 'installed'), signal);

  test('succeeds if its file has the pinned checksum', async () => {
    await install(sha256);
    expect(await readdir(join(folder, 'installed'))).toContain('thing-1.0.dist-info');
  });

  test('fails if its file has another checksum', async () => {
    await expect(install('0'.repeat(64))).rejects.toThrow();
    expect(await readdir(folder)).not.toContain('installed');
  });
});
