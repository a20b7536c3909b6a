import { readFileSync } from 'node:fs';

/** The version of this program, with the v that clients expect. */
export const version = `v${(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version}`;
