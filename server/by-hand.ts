import { ConfigProblem, type Config } from './config.ts';
import { holdFolder } from './data-folder.ts';
import type { Report } from './task/task.ts';

// What the console's own commands have in common.

/** Holds the data folder, or ends with a sentence that names what to use while the program runs. */
export function holdByHand(config: Config, instead: string): { release(): void } {
  try {
    return holdFolder(config.dataFolder);
  } catch (error) {
    if (!(error instanceof ConfigProblem)) throw error;
    console.error(`Reelkeep runs on ${config.dataFolder}. Use its call ${instead}, or stop it first.`);
    process.exit(1);
  }
}

/** Shows how far it is, on one line. */
export function sayStep({ messages, progress }: Report) {
  if (!process.stdout.isTTY) return;
  const share = progress === undefined ? '' : ` ${Math.round(progress * 100)} %`;
  process.stdout.write(`\r\u001B[K${messages.join(' ')}${share}`);
}

/** Fires when somebody presses Ctrl-C. */
export function stopped(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort(new Error('Stopped. Nothing was changed.')));
  return controller.signal;
}
