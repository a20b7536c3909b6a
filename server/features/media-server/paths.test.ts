import { describe, expect, test } from 'vitest';
import { isInside, pathHere, pathThere } from './paths.ts';

const mappings = [
  { from: '/data/views', to: '/media' },
  { from: '/data/views/shows/', to: '/tv/' },
  { from: '/data/views/win', to: 'D:\\Archive' },
];

describe('path mappings', () => {
  test.each([
    ['/data/views/shows/A/Season 2024', '/tv/A/Season 2024'],
    ['/data/views/shows', '/tv'],
    ['/data/views/showsOther/A', '/media/showsOther/A'],
    ['/data/views/win/A/b.mp4', 'D:\\Archive\\A\\b.mp4'],
    ['/elsewhere/A', null],
  ])('%s is %s on the server', (here, there) => {
    expect(pathThere(mappings, here)).toBe(there);
    if (there !== null) expect(pathHere(mappings, there)).toBe(here.replace(/\/$/, ''));
  });

  test('the letters of Windows drives and folders are compared without case', () => {
    expect(pathHere(mappings, 'd:\\archive\\A\\b.mp4')).toBe('/data/views/win/A/b.mp4');
    expect(pathHere(mappings, '/TV/A')).toBeNull();
  });

  test('a folder is inside itself, but not in one with a longer name', () => {
    expect(isInside('/tv/', '/tv')).toBe(true);
    expect(isInside('/tv2', '/tv')).toBe(false);
    expect(isInside('/anything', '/')).toBe(true);
  });

  test('the root of the server is a folder', () => {
    expect(pathThere([{ from: '/v', to: '/' }], '/v/A')).toBe('/A');
    expect(pathHere([{ from: '/v', to: '/' }], '/A')).toBe('/v/A');
  });
});
