import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchFolder } from '../child/scratch.ts';
import { cookiesFor, withRenewed } from './jar-of-site.ts';

/** Where the cookies of a person's browser are kept between two runs of yt-dlp. */
export interface Jar {
  /** In the format of Netscape, or null when there are none to be used. */
  read(): Promise<string | null>;
  /** Sites renew cookies as they are used: what came back is kept. */
  write(text: string): Promise<void>;
}

/** The jar as a file that only yt-dlp sees, for one run. */
export interface OpenJar {
  options: string[];
  /** Keeps what changed, and removes the file. */
  close(): Promise<void>;
}

const nothing: OpenJar = { options: [], close: async () => {} };

/** Puts the cookies of the site of this address into a private folder for one run. */
export async function openJar(jar: Jar | null, url: string): Promise<OpenJar> {
  const given = cookiesFor((await jar?.read()) ?? '', url);
  if (!jar || !given) return nothing;
  const folder = await scratchFolder();
  const path = join(folder, 'cookies.txt');
  await writeFile(path, given, { mode: 0o600 });
  return {
    options: [`--cookies=${path}`],
    async close() {
      try {
        const after = await readFile(path, 'utf8');
        // Others may have renewed theirs meanwhile.
        const now = await jar.read();
        const renewed = now && after.length < 2_000_000 ? withRenewed(now, after, url) : null;
        if (renewed) await jar.write(renewed);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}
