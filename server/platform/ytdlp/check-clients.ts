import { ProcessError, run } from '../process/run.ts';
import type { Program } from './find-ytdlp.ts';

// Accepted in a list of clients besides their names.
const keywords = new Set(['default', 'all']);

/** Arguments that let yt-dlp read the list and then fail, because its proxy is a closed port of this machine. Takes about 0.5 s. */
const offlineArguments = (clients: string[]) => [
  '--ignore-config',
  '--no-plugin-dirs',
  '--no-cache-dir',
  '--color=never',
  '--proxy=http://127.0.0.1:1',
  '--retries=0',
  '--extractor-retries=0',
  '--skip-download',
  `--extractor-args=youtube:player_client=${clients.join(',')};player_skip=webpage,configs,js,initial_data`,
  '--',
  'https://www.youtube.com/watch?v=xxxxxxxxxxx',
];

/** Returns the names in a comma-separated list of YouTube clients that yt-dlp does not know. None if it does not run. */
export async function listUnknownClients(program: Program, list: string, path: string): Promise<string[]> {
  const clients = list.split(',').map((name) => name.trim().replace(/^-/, ''));
  const named = clients.filter((name) => !keywords.has(name));
  if (named.length === 0) return [];
  let stderr = '';
  try {
    await run(program.command, offlineArguments(named), {
      cwd: '/',
      signal: new AbortController().signal,
      timeMs: 20_000,
      env: { PATH: path },
      onStderr: (text) => void (stderr = (stderr + text).slice(0, 200_000)),
    });
  } catch (error) {
    if (!(error instanceof ProcessError)) throw error;
  }
  return [...new Set([...stderr.matchAll(/Skipping unsupported client "(\w+)"/g)].map((found) => found[1]!))];
}
