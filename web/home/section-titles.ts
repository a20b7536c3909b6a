import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import type { HomeSectionName } from '#contract/home.ts';

/** Titles of the sections that are no smart lists, in the order in which they are offered. */
export const sectionTitles: Record<HomeSectionName, MessageDescriptor> = {
  unavailable: msg`Gone from the web`,
  continue: msg`Continue watching`,
  subscriptions: msg`New from your subscriptions`,
  shorts: msg`Shorts`,
};

export const isSectionName = (name: string): name is HomeSectionName => Object.hasOwn(sectionTitles, name);
