import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempDir } from '../process/temp-dir.ts';
import { cookiesFor, withRenewed } from './cookies-for-site.ts';

/** Storage of cookies between runs of yt-dlp. */
export interface CookieJar {
  /** Returns a Netscape cookie file, or null. */
  read(): Promise<string | null>;
  /** Stores renewed cookies, because sites renew them during use. */
  write(text: string): Promise<void>;
}

/** A temporary cookie file for one run of yt-dlp. */
export interface OpenCookieJar {
  options: string[];
  /** Stores changed cookies and deletes the file. */
  close(): Promise<void>;
}

const nothing: OpenCookieJar = { options: [], close: async () => {} };

/** Writes the cookies of the site of a URL to a temporary file for one run. */
export async function openCookieJar(jar: CookieJar | null, url: string): Promise<OpenCookieJar> {
  const given = cookiesFor((await jar?.read()) ?? '', url);
  if (!jar || !given) return nothing;
  const folder = await createTempDir();
  const path = join(folder, 'cookies.txt');
  await writeFile(path, given, { mode: 0o600 });
  return {
    options: [`--cookies=${path}`],
    async close() {
      try {
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
