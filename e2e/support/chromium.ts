import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { LaunchOptions } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** Returns the path of Chromium. @throws if there is none */
function findChromium(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
  if (!found)
    throw new Error(`None of ${names.join(', ')} is on the PATH: install Chromium, or run \`npm test\` once, which brings it.`);
  return found;
}

/**
 * Options to launch the Chromium of this machine without prompts. Pages that need no full screen, windows or media keys run in its
 * headless shell, if there is one: it takes about half the processor time.
 */
export const chromiumOptions = ({ isShellEnough = false } = {}): LaunchOptions => ({
  executablePath:
    (isShellEnough && process.env['REELKEEP_TEST_HEADLESS_SHELL']) || process.env['REELKEEP_TEST_CHROMIUM'] || findChromium(),
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
