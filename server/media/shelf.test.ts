import { statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { moveFiles } from './move.ts';
import { fingerprint, shelveFiles, Taken } from './shelf.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelkeep-shelf-'));
  await mkdir(at('in'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);
const finished = async (name: string, content = name) => {
  await writeFile(at(`in/${name}`), content);
  return { from: at(`in/${name}`), to: at(`shelf/${name}`), ...(await fingerprint(at(`in/${name}`))) };
};
const read = (name: string) => readFile(at(`shelf/${name}`), 'utf8');

// Where there are no links (exFAT, some network shares), files are moved: after a kill they are not where they were.
describe('files that an earlier start moved', () => {
  test('count as placed, and the rest follows', async () => {
    const files = [await finished('a.json'), await finished('a.mp4')];
    await mkdir(at('shelf'));
    await rename(files[0]!.from, files[0]!.to);
    await shelveFiles(files, { replaces: false });
    expect(await Promise.all(['a.json', 'a.mp4'].map(read))).toEqual(['a.json', 'a.mp4']);
  });

  test('are not taken for placed when something else stands there', async () => {
    const file = await finished('a.mp4');
    await mkdir(at('shelf'));
    await rename(file.from, at('elsewhere'));
    await writeFile(file.to, 'other!');
    await expect(shelveFiles([file], { replaces: false })).rejects.toThrow(/ENOENT/);
    await expect(shelveFiles([file], { replaces: true })).rejects.toThrow(/ENOENT/);
    expect(await read('a.mp4')).toBe('other!');
  });

  test('replace the old ones, whether they came beside it or over it', async () => {
    const files = [await finished('a.json', 'new words'), await finished('a.mp4', 'new media')];
    await mkdir(at('shelf'));
    await writeFile(at('shelf/a.mp4'), 'old media');
    await rename(files[0]!.from, files[0]!.to);
    await rename(files[1]!.from, `${files[1]!.to}.new`);
    await shelveFiles(files, { replaces: true });
    expect(await Promise.all(['a.json', 'a.mp4'].map(read))).toEqual(['new words', 'new media']);
    expect((await readdir(at('shelf'))).sort()).toEqual(['a.json', 'a.mp4']);
  });
});

test('where the last file cannot be placed, the others do not stay on the shelf as files of nobody', async () => {
  const files = [await finished('a.json'), await finished('a.mp4')];
  await mkdir(at('shelf'));
  await writeFile(at('shelf/a.mp4'), 'of somebody else');
  await expect(shelveFiles(files, { replaces: false })).rejects.toThrow(Taken);
  expect(await readdir(at('shelf'))).toEqual(['a.mp4']);
  expect(await read('a.mp4')).toBe('of somebody else');
  expect((await readdir(at('in'))).sort()).toEqual(['a.json', 'a.mp4']);
});

const memory = '/dev/shm';
const fileSystemOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.dev;
const isElsewhere = ![undefined, fileSystemOf(tmpdir())].includes(fileSystemOf(memory));

// A folder of the shelf that is a mount of its own, as `.bin` or a channel's may be.
describe.runIf(isElsewhere)('files that move to another file system', () => {
  let other: string;
  beforeEach(async () => {
    other = await mkdtemp(join(memory, 'reelkeep-shelf-'));
  });
  afterEach(() => rm(other, { recursive: true, force: true }));

  test('are copied, compared and named, and leave nothing behind', async () => {
    await writeFile(at('in/a.mp4'), 'the film!');
    const to = join(other, 'deep/er/a.mp4');
    expect(await moveFiles([{ from: at('in/a.mp4'), to }])).toEqual(['moved']);
    expect(await readFile(to, 'utf8')).toBe('the film!');
    expect([await readdir(at('in')), await readdir(join(other, 'deep/er'))]).toEqual([[], ['a.mp4']]);
    // And what an earlier start left half copied is no hindrance on the way back.
    await writeFile(at('in/a.mp4.part'), 'the f');
    expect(await moveFiles([{ from: to, to: at('in/a.mp4') }])).toEqual(['moved']);
    expect([await readdir(at('in')), await readdir(join(other, 'deep/er'))]).toEqual([['a.mp4'], []]);
  });

  test('never go over what stands there, and where both names are the same file’s only the old one goes', async () => {
    const [from, to] = [at('in/a.mp4'), join(other, 'a.mp4')];
    await writeFile(from, 'the film!');
    await writeFile(to, 'another!!');
    const [found] = await moveFiles([{ from, to }]);
    expect((found as { problem: Error }).problem).toBeInstanceOf(Taken);
    expect([await readFile(from, 'utf8'), await readFile(to, 'utf8')]).toEqual(['the film!', 'another!!']);
    await writeFile(to, 'the film!');
    expect(await moveFiles([{ from, to }])).toEqual(['moved']);
    expect([await readdir(at('in')), await readdir(other)]).toEqual([[], ['a.mp4']]);
  });
});
