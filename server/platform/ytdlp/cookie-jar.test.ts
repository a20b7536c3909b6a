import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cookiesFor } from './cookies-for-site.ts';
import { openCookieJar } from './cookie-jar.ts';

const cookie = (domain: string, name: string, value = 'x') => `${domain}\tTRUE\t/\tTRUE\t2000000000\t${name}\t${value}`;
const storedCookies = `# Netscape HTTP Cookie File
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
])('for %s the cookies are %j', (url, names) => expect(namesIn(cookiesFor(storedCookies, url))).toEqual(names));

test('passes only cookies of the site to a run, and merges its changes with concurrent ones', async () => {
  let saved = storedCookies;
  let writes = 0;
  const jar = {
    read: async () => saved,
    write: async (text: string) => {
      writes++;
      saved = text;
    },
    recordLogin: async () => {},
  };
  const url = 'https://vimeo.com/1';
  const open = await openCookieJar(jar, url);
  const path = open.options[0]!.slice('--cookies='.length);
  expect(namesIn(readFileSync(path, 'utf8'))).toEqual(['vimeo']);
  writeFileSync(
    path,
    `# Netscape HTTP Cookie File\n\n${cookie('.vimeo.com', 'vimeo', 'new')}\n${cookie('.youtube.com', 'LOGIN_INFO', 'stolen')}\n`,
  );
  saved = saved.replace(cookie('.google.com', 'SID'), cookie('.google.com', 'SID', 'renewed'));
  await open.close(true);
  expect(namesIn(saved)).toEqual(['LOGIN_INFO', 'SID', 'uk', 'zdf', 'router', 'vimeo']);
  expect(saved).toContain(cookie('.vimeo.com', 'vimeo', 'new'));
  expect(saved).toContain(cookie('.google.com', 'SID', 'renewed'));
  expect(saved).not.toContain('stolen');
  // Unchanged cookies are not written again.
  await (await openCookieJar(jar, url)).close(true);
  expect(writes).toBe(1);
  expect((await openCookieJar(jar, 'https://elsewhere.example/')).options).toEqual([]);
});
