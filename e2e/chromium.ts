import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { LaunchOptions } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** Where this machine has Chromium; throws a sentence where it has none. */
function chromiumHere(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
  if (!found)
    throw new Error(`None of ${names.join(', ')} is on the PATH: install Chromium, or run \`npm test\` once, which brings it.`);
  return found;
}

/** How the machine's own Chromium is started: quiet, and without asking anybody anything. */
export const chromiumOptions = (): LaunchOptions => ({
  executablePath: process.env['REELKEEP_TEST_CHROMIUM'] || chromiumHere(),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--autoplay-policy=no-user-gesture-required',
  ],
});
