import type { MeaningModel } from '#contract/meaning-models.ts';
import { message, type Message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { run } from '../../platform/process/run.ts';
import { meaningEngines, meaningModules } from './engine.ts';
import { meaningPackages } from './packages.ts';

/** Returns why nothing can be embedded with a model, or null. */
export async function whyNotReady(app: AppContext, model: MeaningModel): Promise<Message[] | null> {
  const engine = await meaningEngines[model].find(app);
  if (!engine) return [meaningEngines[model].whyMissing(app)];
  if (engine.packages) return null;
  const find = `import importlib.util, sys; sys.exit(importlib.util.find_spec("${meaningModules[model]}") is None)`;
  return run(engine.python, ['-c', find], { cwd: '/', timeMs: 20_000, signal: new AbortController().signal }).then(
    () => null,
    () => [message('meaning.no-package', { model, package: meaningPackages[model][0].name })],
  );
}
