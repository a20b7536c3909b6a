import { message } from '#contract/messages.ts';
import { definePythonEngine } from '../../archive/binaries/python-engine.ts';
import { enginePackages } from './packages.ts';

/** faster-whisper, which transcribes. */
export const speechEngine = definePythonEngine({
  managed: { link: 'speech', folder: 'speech-engine' },
  packages: enginePackages,
  trial: 'import ctranslate2, numpy, onnxruntime, tokenizers',
  // Measured for x86_64: 90 MB of wheels, 310 MB unpacked.
  neededBytes: 430_000_000,
  missing: message('speech.no-engine'),
  installing: (version) => message('speech.installing', { version }),
  trying: message('speech.trying'),
  installed: (version) => message('speech.installed', { version }),
  failed: (reason) => message('speech.not-installed', { reason }),
});
