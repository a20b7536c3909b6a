import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';

/** Names and colours of the SponsorBlock categories. */
export const segmentKinds: Record<string, { name: MessageDescriptor; colour: string }> = {
  sponsor: { name: msg`Sponsor`, colour: '#3ddc64' },
  selfpromo: { name: msg`Self-promotion`, colour: '#f5e663' },
  interaction: { name: msg`Reminder to subscribe`, colour: '#d783ff' },
  intro: { name: msg`Intro`, colour: '#4dd9ff' },
  outro: { name: msg`End cards`, colour: '#7f8cff' },
  preview: { name: msg`Preview or recap`, colour: '#3f9cff' },
  filler: { name: msg`Filler`, colour: '#b3a1ff' },
  music_offtopic: { name: msg`Non-music section`, colour: '#ff9f45' },
  hook: { name: msg`Hook`, colour: '#9aa6c3' },
};

const other = { name: msg`Segment`, colour: '#cfcfcf' };
export const segmentKind = (category: string) => segmentKinds[category] ?? other;
