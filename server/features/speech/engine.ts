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
import { enginePackages } from './packages.ts';

const speech: EngineKind = {
  managed: { link: 'speech', folder: 'speech-engine' },
  packages: enginePackages,
  modules: 'ctranslate2, numpy, onnxruntime, tokenizers',
  // Measured for x86_64: 90 MB of wheels, 310 MB unpacked.
  neededBytes: 430_000_000,
  installing: (version) => message('speech.installing', { version }),
  trying: message('speech.trying'),
  installed: (version) => message('speech.installed', { version }),
  failed: (reason) => message('speech.not-installed', { reason }),
};

export const whyNotInstalledSpeech = speech.failed;
export const findEngine = (app: AppContext) => findPythonEngine(app, speech);
export const engineVersions = (app: AppContext) => pythonEngineVersions(app, speech);
export const rollBackEngine = (app: AppContext) => rollBackPythonEngine(app, speech);
export const installEngine = (work: Pick<TaskWork<unknown>, 'signal' | 'report'>, app: AppContext): Promise<Message> =>
  installPythonEngine(work, app, speech);

/** Returns the message for a missing engine. Each of several servers would install its own, without the others knowing. */
export const noEngine = ({ config }: AppContext): Message =>
  message(config.node === undefined ? 'speech.no-engine' : 'speech.several-servers');
