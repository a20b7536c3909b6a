import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cookiesFor } from './jar-of-site.ts';
import { openJar } from './jar.ts';

const cookie = (domain: string, name: string, value = 'x') => `${domain}\tTRUE\t/\tTRUE\t2000000000\t${name}\t${value}`;
const kept = `# Netscape HTTP Cookie File
# by some extension
${cookie('.youtube.com', 'LOGIN_INFO')}
#HttpOnly_${cookie('.google.com', 'SID')}
${cookie('.vimeo.com', 'vimeo')}
${cookie('player.example.co.uk', 'uk')}
${cookie('.zdf.de', 'zdf')}
${cookie('10.9.0.1', 'router')}
`;
const namesIn = (text: string | null) => text?.split('\n').flatMap((line) => line.split('\t')[5] ?? []) ?? null;

test.each([
  ['https://www.youtube.com/watch?v=abcdefghijk', ['LOGIN_INFO', 'SID']],
  ['https://youtu.be/abcdefghijk', ['LOGIN_INFO', 'SID']],
  ['https://player.vimeo.com/video/1', ['vimeo']],
  ['https://www.example.co.uk/a', ['uk']],
  ['https://www.zdf.de/a', ['zdf']],
  ['https://10.9.0.1/film', ['router']],
  ['https://other.co.uk/a', null],
  ['https://notyoutube.com/', null],
  ['https://youtube.com.evil.example/', null],
  ['https://10.0.0.1/film', null],
  ['ytsearch:cats', null],
])('of the cookies %s is given %j', (url, names) => expect(namesIn(cookiesFor(kept, url))).toEqual(names));

test('a run sees the cookies of its site alone, and only those come back from it, beside what others renewed meanwhile', async () => {
  let inJar = kept;
  let writes = 0;
  const jar = {
    read: async () => inJar,
    write: async (text: string) => {
      writes++;
      inJar = text;
    },
  };
  const url = 'https://vimeo.com/1';
  const open = await openJar(jar, url);
  const path = open.options[0]!.slice('--cookies='.length);
  expect(namesIn(readFileSync(path, 'utf8'))).toEqual(['vimeo']);
  writeFileSync(
    path,
    `# Netscape HTTP Cookie File\n\n${cookie('.vimeo.com', 'vimeo', 'new')}\n${cookie('.youtube.com', 'LOGIN_INFO', 'stolen')}\n`,
  );
  inJar = inJar.replace(cookie('.google.com', 'SID'), cookie('.google.com', 'SID', 'renewed'));
  await open.close();
  expect(namesIn(inJar)).toEqual(['LOGIN_INFO', 'SID', 'uk', 'zdf', 'router', 'vimeo']);
  expect(inJar).toContain(cookie('.vimeo.com', 'vimeo', 'new'));
  expect(inJar).toContain(cookie('.google.com', 'SID', 'renewed'));
  expect(inJar).not.toContain('stolen');
  // What comes back as it was is not written again.
  await (await openJar(jar, url)).close();
  expect(writes).toBe(1);
  expect((await openJar(jar, 'https://elsewhere.example/')).options).toEqual([]);
});
