import type { LaunchOptions } from 'playwright-core';

/** How the machine's own Chromium is started: quiet, and without asking anybody anything. */
export const chromiumOptions = (): LaunchOptions => ({
  executablePath: process.env['REELKEEP_TEST_CHROMIUM'] || 'chromium',
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
