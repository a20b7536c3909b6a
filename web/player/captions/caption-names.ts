import { msg } from '@lingui/core/macro';

/** Names of `captionColours`, in their order. */
export const captionColorNames = [msg`White`, msg`Yellow`, msg`Cyan`, msg`Green`, msg`Black`];
/** Names of `captionBackgrounds`, in their order. */
export const captionBackgroundNames = [msg`Dark`, msg`Semi-transparent`, msg`Transparent`, msg`Light`];
