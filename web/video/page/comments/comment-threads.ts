import type { Comment } from '#contract/video.ts';
import { foldWithPlaces, occurrencesOf } from '#web/ui/find-words.ts';

/** A comment with the replies that are shown. */
export interface CommentThread {
  comment: Comment;
  replies: CommentThread[];
  /** Whether the replies are visible at first. */
  isOpen: boolean;
}

/** Returns all threads. Replies are closed, except those that contain the comment `target`. */
export function threadsOf(comments: readonly Comment[], target: string | null): CommentThread[] {
  return comments.map((comment) => {
    const replies = threadsOf(comment.comment_replies, target);
    return { comment, replies, isOpen: replies.some((reply) => reply.isOpen || reply.comment.comment_id === target) };
  });
}

/** Splits a search into words without accents and case. */
export const wordsOf = (text: string) => foldWithPlaces(text).folded.split(/\s+/).filter(Boolean);

const contains = ({ comment_author: author, comment_text: text }: Comment, words: readonly string[]) => {
  const { folded } = foldWithPlaces(`${author}\n${text}`);
  return words.every((word) => folded.includes(word));
};

/**
 * Finds comments with all words in their author and text. A reply is shown below its comment; a comment that matches keeps its other
 * replies, closed.
 */
export function findThreads(comments: readonly Comment[], words: readonly string[]): { threads: CommentThread[]; count: number } {
  let count = 0;
  const threads = comments.flatMap((comment): CommentThread[] => {
    const replies = findThreads(comment.comment_replies, words);
    const isFound = contains(comment, words);
    count += replies.count + (isFound ? 1 : 0);
    if (replies.count > 0) return [{ comment, replies: replies.threads, isOpen: true }];
    return isFound ? [{ comment, replies: threadsOf(comment.comment_replies, null), isOpen: false }] : [];
  });
  return { threads, count };
}

/** Splits a text at the words, in order: matches have odd places. */
export function splitAtWords(text: string, words: readonly string[]): string[] {
  const folded = foldWithPlaces(text);
  const found = words.flatMap((word) => occurrencesOf(folded, word)).sort((a, b) => a.from - b.from || b.to - a.to);
  const parts: string[] = [];
  let at = 0;
  for (const { from, to } of found) {
    if (from < at) continue;
    parts.push(text.slice(at, from), text.slice(from, to));
    at = to;
  }
  return [...parts, text.slice(at)];
}
