import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempDir } from '../process/temp-dir.ts';
import { youtubeLoginOf } from './cookie-file.ts';
import { cookiesFor, withRenewed } from './cookies-for-site.ts';

/** Storage of cookies between runs of yt-dlp. */
export interface CookieJar {
  /** Returns a Netscape cookie file, or null. */
  read(): Promise<string | null>;
  /** Stores renewed cookies, because sites renew them during use. */
  write(text: string): Promise<void>;
  /** Records whether YouTube accepted the login in a cookie file, or has ended it. */
  recordLogin(given: string, isAccepted: boolean): Promise<void>;
}

/** A temporary cookie file for one run of yt-dlp. */
export interface OpenCookieJar {
  options: string[];
  /** Receives stderr of the run, where yt-dlp says that a login has ended. */
  onStderr(text: string): void;
  /** Stores changed cookies and deletes the file. `isSuccess`: the run has ended without an error. */
  close(isSuccess: boolean): Promise<void>;
}

const nothing: OpenCookieJar = { options: [], onStderr: () => {}, close: async () => {} };

// YouTube deletes LOGIN_INFO when it has replaced the cookies in the browser. yt-dlp then only warns, and continues without login.
const loginEnded = /account cookies are no longer valid/;

/** Writes the cookies of the site of a URL to a temporary file for one run. */
export async function openCookieJar(jar: CookieJar | null, url: string): Promise<OpenCookieJar> {
  const given = cookiesFor((await jar?.read()) ?? '', url);
  if (!jar || !given) return nothing;
  const folder = await createTempDir();
  const path = join(folder, 'cookies.txt');
  await writeFile(path, given, { mode: 0o600 });
  const hasLogin = youtubeLoginOf(given) !== undefined;
  let [hasEnded, lastWords] = [false, ''];
  return {
    options: [`--cookies=${path}`],
    onStderr(text) {
      hasEnded ||= loginEnded.test(lastWords + text);
      lastWords = (lastWords + text).slice(-100);
    },
    async close(isSuccess) {
      try {
        if (hasEnded || (hasLogin && isSuccess)) await jar.recordLogin(given, !hasEnded);
        if (hasEnded) return;
        const after = await readFile(path, 'utf8');
        // Other runs may have renewed their cookies meanwhile.
        const now = await jar.read();
        const renewed = now && after.length < 2_000_000 ? withRenewed(now, after, url) : null;
        if (renewed) await jar.write(renewed);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}
