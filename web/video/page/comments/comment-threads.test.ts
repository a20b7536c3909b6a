import { expect, test } from 'vitest';
import type { Comment } from '#contract/video.ts';
import { findThreads, splitAtWords, threadsOf, wordsOf, type CommentThread } from './comment-threads.ts';

const comment = (id: string, author: string, text: string, replies: Comment[] = []): Comment => ({
  comment_id: id,
  comment_author: author,
  comment_author_id: '',
  comment_author_thumbnail: '',
  comment_text: text,
  comment_time_text: '',
  comment_timestamp: 0,
  comment_likecount: 0,
  comment_is_favorited: false,
  comment_author_is_uploader: false,
  comment_parent: 'root',
  comment_replies: replies,
});
const comments = [
  comment('a', '@ann', 'The Café is closed', [comment('a1', '@ben', 'It opens in May'), comment('a2', '@eve', 'No tea?')]),
  comment('b', '@Ben', 'Lovely tea'),
];
const outline = ({ comment: { comment_id: id }, replies, isOpen }: CommentThread): string =>
  replies.length === 0 ? id : `${id}${isOpen ? '[' : '('}${replies.map(outline).join(' ')}${isOpen ? ']' : ')'}`;

test.each([
  ['cafe', 1, 'a(a1 a2)'],
  ['BEN', 2, 'a[a1] b'],
  ['tea', 2, 'a[a2] b'],
  ['ben tea', 1, 'b'],
  ['nothing', 0, ''],
])('finds “%s” in comments and replies', (words, count, shown) => {
  const found = findThreads(comments, wordsOf(words));
  expect([found.count, found.threads.map(outline).join(' ')]).toEqual([count, shown]);
});

test('opens the replies that contain a comment', () => {
  expect(threadsOf(comments, null).map(outline)).toEqual(['a(a1 a2)', 'b']);
  expect(threadsOf(comments, 'a2').map(outline)).toEqual(['a[a1 a2]', 'b']);
});

test('marks words without regard to case and accents', () => {
  expect(splitAtWords('Das Café, ein CAFE', wordsOf('cafe ein'))).toEqual(['Das ', 'Café', ', ', 'ein', ' ', 'CAFE', '']);
  expect(splitAtWords('teapot', wordsOf('tea teapot'))).toEqual(['', 'teapot', '']);
});
