import { statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { moveFiles } from './move.ts';
import { fingerprint, placeFiles, PathTakenError } from './files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelkeep-shelf-'));
  await mkdir(pathOf('in'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
const pathOf = (name: string) => join(folder, name);
const createFinished = async (name: string, content = name) => {
  await writeFile(pathOf(`in/${name}`), content);
  return { from: pathOf(`in/${name}`), to: pathOf(`shelf/${name}`), ...(await fingerprint(pathOf(`in/${name}`))) };
};
const read = (name: string) => readFile(pathOf(`shelf/${name}`), 'utf8');

// Without hard links (exFAT, some network shares) files are moved, so after a kill they are not at the source path.
describe('files moved by an earlier start', () => {
  test('count as placed, and the remaining files are placed', async () => {
    const files = [await createFinished('a.json'), await createFinished('a.mp4')];
    await mkdir(pathOf('shelf'));
    await rename(files[0]!.from, files[0]!.to);
    await placeFiles(files, { replaces: false });
    expect(await Promise.all(['a.json', 'a.mp4'].map(read))).toEqual(['a.json', 'a.mp4']);
  });

  test('do not count as placed if another file has the target path', async () => {
    const file = await createFinished('a.mp4');
    await mkdir(pathOf('shelf'));
    await rename(file.from, pathOf('elsewhere'));
    await writeFile(file.to, 'other!');
    await expect(placeFiles([file], { replaces: false })).rejects.toThrow(/ENOENT/);
    await expect(placeFiles([file], { replaces: true })).rejects.toThrow(/ENOENT/);
    expect(await read('a.mp4')).toBe('other!');
  });

  test('replace the old files, both under the temporary and the final name', async () => {
    const files = [await createFinished('a.json', 'new words'), await createFinished('a.mp4', 'new media')];
    await mkdir(pathOf('shelf'));
    await writeFile(pathOf('shelf/a.mp4'), 'old media');
    await rename(files[0]!.from, files[0]!.to);
    await rename(files[1]!.from, `${files[1]!.to}.new`);
    await placeFiles(files, { replaces: true });
    expect(await Promise.all(['a.json', 'a.mp4'].map(read))).toEqual(['new words', 'new media']);
    expect((await readdir(pathOf('shelf'))).sort()).toEqual(['a.json', 'a.mp4']);
  });
});

test('moves files back if the last one cannot be placed', async () => {
  const files = [await createFinished('a.json'), await createFinished('a.mp4')];
  await mkdir(pathOf('shelf'));
  await writeFile(pathOf('shelf/a.mp4'), 'of somebody else');
  await expect(placeFiles(files, { replaces: false })).rejects.toThrow(PathTakenError);
  expect(await readdir(pathOf('shelf'))).toEqual(['a.mp4']);
  expect(await read('a.mp4')).toBe('of somebody else');
  expect((await readdir(pathOf('in'))).sort()).toEqual(['a.json', 'a.mp4']);
});

const memoryFolder = '/dev/shm';
const fileSystemOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.dev;
const hasOtherFileSystem = ![undefined, fileSystemOf(tmpdir())].includes(fileSystemOf(memoryFolder));

// A folder that is its own mount, such as `.trash` or a channel folder.
describe.runIf(hasOtherFileSystem)('moving files to another file system', () => {
  let other: string;
  beforeEach(async () => {
    other = await mkdtemp(join(memoryFolder, 'reelkeep-shelf-'));
  });
  afterEach(() => rm(other, { recursive: true, force: true }));

  test('copies, compares and renames, and leaves no temporary files', async () => {
    await writeFile(pathOf('in/a.mp4'), 'the film!');
    const to = join(other, 'deep/er/a.mp4');
    expect(await moveFiles([{ from: pathOf('in/a.mp4'), to }])).toEqual(['moved']);
    expect(await readFile(to, 'utf8')).toBe('the film!');
    expect([await readdir(pathOf('in')), await readdir(join(other, 'deep/er'))]).toEqual([[], ['a.mp4']]);
    // A partial copy of an interrupted start does not prevent the move.
    await writeFile(pathOf('in/a.mp4.part'), 'the f');
    expect(await moveFiles([{ from: to, to: pathOf('in/a.mp4') }])).toEqual(['moved']);
    expect([await readdir(pathOf('in')), await readdir(join(other, 'deep/er'))]).toEqual([['a.mp4'], []]);
  });

  test('does not overwrite another file, and deletes only the source if both are equal', async () => {
    const [from, to] = [pathOf('in/a.mp4'), join(other, 'a.mp4')];
    await writeFile(from, 'the film!');
    await writeFile(to, 'another!!');
    const [found] = await moveFiles([{ from, to }]);
    expect((found as { problem: Error }).problem).toBeInstanceOf(PathTakenError);
    expect([await readFile(from, 'utf8'), await readFile(to, 'utf8')]).toEqual(['the film!', 'another!!']);
    await writeFile(to, 'the film!');
    expect(await moveFiles([{ from, to }])).toEqual(['moved']);
    expect([await readdir(pathOf('in')), await readdir(other)]).toEqual([[], ['a.mp4']]);
  });
});
