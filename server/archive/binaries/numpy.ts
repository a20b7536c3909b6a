import type { PinnedPackage } from '../../platform/ytdlp/pip.ts';

/** numpy for the engines of models: wheels for CPython 3.11 to 3.14 on x86_64 and aarch64 with glibc. */
export const numpy: PinnedPackage = {
  name: 'numpy',
  version: '2.4.6',
  sha256: [
    '0ab0a9c4ffb1a6d95ef519fe4247dba8eb6b18ad93999f76b7f657039acabd47',
    '89cd468399cfd2504718f0ba50e410dca55a170b61a02ad92bb18c8a65186e93',
    '5f9fb9157b4ce2971008323afe46053787b526ef624fea915b261468a8421a0f',
    '90f9849678c75fe7afa2d348ac842c168b0a4d3d61919687216dfc547976d853',
    '72fbe16c6fac95aedf5937fa873445cec2110be35d8a4e9433d7501fd98dae6b',
    'a7830bab239b79cda9c08c2da014761cafb48da6150e1da17ac06283f43b6089',
    '40fdc1ae7125e518ea98e53e69a4ebc27e1fd50510c47b7ea130cf21e5e1d42b',
    'a2c306dea656c12c68f51f4cea133cbe78ca7435eb28c735eac1d3ebe73be6e8',
  ],
};
