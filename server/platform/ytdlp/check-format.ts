import { ProcessError, run } from '../process/run.ts';
import type { Program } from './find-ytdlp.ts';

/**
 * Lets yt-dlp parse a download format. Returns its error message, or null. No URL is passed, so nothing is downloaded; it exits
 * after reading its options, which takes about 0.3 s.
 */
export async function formatProblem(program: Program, format: string, path: string): Promise<string | null> {
  const args = ['--ignore-config', '--no-plugin-dirs', '--color=never', `--format=${format}`];
  try {
    await run(program.command, args, { cwd: '/', signal: new AbortController().signal, timeMs: 20_000, env: { PATH: path } });
    return null;
  } catch (error) {
    // It always fails, since a URL is missing. If it does not run at all, the format is not checked.
    const output = error instanceof ProcessError ? error.lastWords : '';
    return /^SyntaxError: Invalid format specification: *(.+)$/m.exec(output)?.[1] ?? null;
  }
}
