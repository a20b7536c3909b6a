import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import {
  IconAlignLeft,
  IconBookmark,
  IconHeading,
  IconMessage,
  IconMicrophone,
  IconNote,
  IconTag,
  IconTextScan2,
  type TablerIcon,
} from '@tabler/icons-react';
import type { MomentKind } from '#contract/moment-kinds.ts';

interface KindTexts {
  icon: TablerIcon;
  one: MessageDescriptor;
  /** Label of the chip. */
  many: MessageDescriptor;
}

export const kindTexts: Record<MomentKind, KindTexts> = {
  // The current title is the heading of its video.
  title: { icon: IconHeading, one: msg`Former title`, many: msg`Titles` },
  spoken: { icon: IconMicrophone, one: msg`Spoken`, many: msg`Spoken words` },
  chapter: { icon: IconBookmark, one: msg`Chapter`, many: msg`Chapters` },
  description: { icon: IconAlignLeft, one: msg`Description`, many: msg`Descriptions` },
  comment: { icon: IconMessage, one: msg`Comment`, many: msg`Comments` },
  note: { icon: IconNote, one: msg`Note`, many: msg`Notes` },
  tag: { icon: IconTag, one: msg`Tag`, many: msg`Tags` },
  screen: { icon: IconTextScan2, one: msg`Text on screen`, many: msg`Text on screen` },
};
