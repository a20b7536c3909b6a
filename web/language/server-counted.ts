import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import type { countedSentences } from '#contract/sentences-counted.ts';

// What is counted. The English is that of the server, and a test compares them.
export const countedWords: Record<keyof typeof countedSentences, MessageDescriptor> = {
  'count.video-one': msg({ message: '{count} video' }),
  'count.video': msg({ message: '{count} videos' }),
  'count.channel-one': msg({ message: '{count} channel' }),
  'count.channel': msg({ message: '{count} channels' }),
  'count.playlist-one': msg({ message: '{count} playlist' }),
  'count.playlist': msg({ message: '{count} playlists' }),
  'count.account-one': msg({ message: '{count} account' }),
  'count.account': msg({ message: '{count} accounts' }),
  'count.mark-one': msg({ message: '{count} watched mark or place' }),
  'count.mark': msg({ message: '{count} watched marks and places' }),
  'count.comment-one': msg({ message: '{count} comment' }),
  'count.comment': msg({ message: '{count} comments' }),
  'count.setting-one': msg({ message: '{count} setting' }),
  'count.setting': msg({ message: '{count} settings' }),
  'count.item-one': msg({ message: '{count} queue item' }),
  'count.item': msg({ message: '{count} queue items' }),
  'count.line-one': msg({ message: '{count} subtitle line' }),
  'count.line': msg({ message: '{count} subtitle lines' }),
  'count.commented-one': msg({ message: '{count} video with comments' }),
  'count.commented': msg({ message: '{count} videos with comments' }),
  'count.in-place-one': msg({ message: '{count} with its file in its place' }),
  'count.in-place': msg({ message: '{count} with their file in its place' }),
  'count.problem-one': msg({ message: '{count} problem' }),
  'count.problem': msg({ message: '{count} problems' }),
  'count.here': msg({ message: '({count} here)' }),
  'count.was-here': msg({ message: '({count} was here)' }),
  'count.were-here': msg({ message: '({count} were here)' }),
};
