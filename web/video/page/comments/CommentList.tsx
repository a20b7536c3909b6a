import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconHeartFilled, IconThumbUp } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useState } from 'react';
import type { Comment } from '#contract/video.ts';
import { agoText } from '#web/format/dates.ts';
import { countText, exactText } from '#web/format/numbers.ts';
import { RelativeTime } from '#web/format/RelativeTime.tsx';
import { Button } from '#web/ui/Button.tsx';
import { RichText } from '#web/ui/RichText.tsx';
import { SearchInput } from '#web/ui/SearchInput.tsx';
import { findThreads, splitAtWords, threadsOf, wordsOf, type CommentThread } from './comment-threads.ts';
import { anchorOf, useLinkedComment } from './use-linked-comment.ts';
import styles from './Comments.module.css';

interface Shared {
  durationSeconds: number;
  onSeek(seconds: number): void;
  /** Words that are searched for; matches are marked. */
  words: readonly string[];
  /** The comment that the address names. */
  linked: string | null;
}

const Marked = ({ text, words }: { text: string; words: readonly string[] }) =>
  splitAtWords(text, words).map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part));

function Likes({ comment: { comment_likecount: count, comment_is_favorited: isFavorited } }: { comment: Comment }) {
  const { t } = useLingui();
  const likes = count ?? 0;
  if (likes === 0 && !isFavorited) return null;
  return (
    <p className={styles.meta}>
      {likes > 0 && (
        <span title={exactText(likes)}>
          <IconThumbUp aria-label={t`Likes`} /> {countText(likes)}
        </span>
      )}
      {isFavorited && <IconHeartFilled className={styles.heart} aria-label={t`Loved by the uploader`} />}
    </p>
  );
}

function OneComment({ thread, ...shared }: Shared & { thread: CommentThread }) {
  const { words, linked, durationSeconds, onSeek } = shared;
  const { comment, replies } = thread;
  const { comment_id: id, comment_author: author } = comment;
  const [isOpen, setIsOpen] = useState(thread.isOpen);
  const isLinked = id === linked;
  const isWhole = isLinked || words.length > 0;
  const mark = (text: string) => (words.length > 0 ? <Marked text={text} words={words} /> : text);
  return (
    <li className={`${styles.comment} ${isLinked ? styles.linked : ''}`} {...(isLinked && { id: anchorOf(id), tabIndex: -1 })}>
      <span className={styles.avatar} aria-hidden>
        {author.replace(/^@/, '').slice(0, 1).toUpperCase()}
      </span>
      <div>
        <p className={styles.head}>
          <bdi className={comment.comment_author_is_uploader ? styles.uploader : styles.author}>{mark(author)}</bdi>
          {comment.comment_timestamp > 0 && (
            <RelativeTime at={comment.comment_timestamp}>{agoText(comment.comment_timestamp)}</RelativeTime>
          )}
        </p>
        <RichText
          text={comment.comment_text}
          durationSeconds={durationSeconds}
          onSeek={onSeek}
          renderText={mark}
          {...(!isWhole && { foldAfter: 6 })}
        />
        <Likes comment={comment} />
        {replies.length > 0 && (
          <>
            <Button kind="quiet" size="s" className={styles.toggle} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
              {isOpen ? <Trans>Hide replies</Trans> : <Plural value={replies.length} one="# reply" other="# replies" />}
            </Button>
            {isOpen && (
              <ul className={styles.list}>
                {replies.map((reply) => (
                  <OneComment key={reply.comment.comment_id} thread={reply} {...shared} />
                ))}
              </ul>
            )}
          </>
        )}
      </div>
    </li>
  );
}

/** Comments with their replies, and a field that searches them. */
export function CommentList({ comments, ...rest }: Omit<Shared, 'words' | 'linked'> & { comments: Comment[] }) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const searched = useDeferredValue(text);
  const linked = useLinkedComment();
  const words = useMemo(() => wordsOf(searched), [searched]);
  const isSearching = words.length > 0;
  const { threads, count } = useMemo(
    () => (words.length > 0 ? findThreads(comments, words) : { threads: threadsOf(comments, linked), count: 0 }),
    [comments, words, linked],
  );
  return (
    <>
      <SearchInput label={t`Search comments`} className={styles.search} value={text} onChange={setText} />
      <p className={isSearching ? styles.count : 'hidden'} role="status">
        {isSearching &&
          (count === 0 ? <Trans>No matching comments</Trans> : <Plural value={count} one="# match" other="# matches" />)}
      </p>
      <ul className={styles.list}>
        {threads.map((thread) => (
          // A comment that was linked or found starts again with other open replies.
          <OneComment
            key={`${thread.comment.comment_id} ${linked ?? ''} ${words.join(' ')}`}
            thread={thread}
            words={words}
            linked={linked}
            {...rest}
          />
        ))}
      </ul>
    </>
  );
}
