import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchFolder } from '../child/scratch.ts';

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

/** Puts the cookies into a private folder for one run. */
export async function openJar(jar: Jar | null): Promise<OpenJar> {
  const before = await jar?.read();
  if (!jar || !before) return nothing;
  const folder = await scratchFolder();
  const path = join(folder, 'cookies.txt');
  await writeFile(path, before, { mode: 0o600 });
  return {
    options: [`--cookies=${path}`],
    async close() {
      try {
        const after = await readFile(path, 'utf8');
        if (after !== before && after.length < 2_000_000) await jar.write(after);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}
