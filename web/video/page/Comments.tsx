import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconHeartFilled, IconThumbUp } from '@tabler/icons-react';
import { useState } from 'react';
import type { Comment } from '#contract/video.ts';
import { agoText } from '#web/format/dates.ts';
import { countText, exactText } from '#web/format/numbers.ts';
import { RelativeTime } from '#web/format/RelativeTime.tsx';
import { Button } from '#web/ui/Button.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { commentsQuery } from '#web/api/queries/video.ts';
import { RichText } from '#web/ui/RichText.tsx';
import styles from './Comments.module.css';

interface Props {
  durationSeconds: number;
  onSeek(seconds: number): void;
}

function OneComment({ comment, ...rest }: Props & { comment: Comment }) {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  const { comment_replies: replies, comment_likecount: likes, comment_author: author } = comment;
  return (
    <li className={styles.comment}>
      <span className={styles.avatar} aria-hidden>
        {author.replace(/^@/, '').slice(0, 1).toUpperCase()}
      </span>
      <div>
        <p className={styles.head}>
          <bdi className={comment.comment_author_is_uploader ? styles.uploader : styles.author}>{author}</bdi>
          {comment.comment_timestamp > 0 && (
            <RelativeTime at={comment.comment_timestamp}>{agoText(comment.comment_timestamp)}</RelativeTime>
          )}
        </p>
        <RichText text={comment.comment_text} foldAfter={6} {...rest} />
        {((likes ?? 0) > 0 || comment.comment_is_favorited) && (
          <p className={styles.meta}>
            {(likes ?? 0) > 0 && (
              <span title={exactText(likes ?? 0)}>
                <IconThumbUp aria-label={t`Likes`} /> {countText(likes ?? 0)}
              </span>
            )}
            {comment.comment_is_favorited && <IconHeartFilled className={styles.heart} aria-label={t`Loved by the uploader`} />}
          </p>
        )}
        {replies.length > 0 && (
          <>
            <Button kind="quiet" size="s" className={styles.toggle} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
              {isOpen ? <Trans>Hide replies</Trans> : <Plural value={replies.length} one="# reply" other="# replies" />}
            </Button>
            {isOpen && (
              <ul className={styles.list}>
                {replies.map((reply) => (
                  <OneComment key={reply.comment_id} comment={reply} {...rest} />
                ))}
              </ul>
            )}
          </>
        )}
      </div>
    </li>
  );
}

/** Comments as they were when the video was archived. */
export function Comments({ id, count, ...rest }: Props & { id: string; count: number | null }) {
  const query = useQuery({ ...commentsQuery(id), enabled: (count ?? 0) > 0 });
  if (!count)
    return (
      <p className={styles.empty}>
        <Trans>Video has no comments</Trans>
      </p>
    );
  return (
    <>
      <h2>
        <Plural value={count} one="# comment" other="# comments" />
      </h2>
      <QueryBoundary query={query} skeleton={120}>
        {(comments) => (
          <ul className={styles.list}>
            {comments.map((comment) => (
              <OneComment key={comment.comment_id} comment={comment} {...rest} />
            ))}
          </ul>
        )}
      </QueryBoundary>
    </>
  );
}
