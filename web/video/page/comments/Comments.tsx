import { Plural, Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { commentsQuery } from '#web/api/queries/video-page.ts';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import styles from './Comments.module.css';

const CommentList = lazyComponent(async () => (await import('./CommentList.tsx')).CommentList);

interface Props {
  id: string;
  count: number | null;
  durationSeconds: number;
  onSeek(seconds: number): void;
}

/** Comments as they were when the video was archived. */
export function Comments({ id, count, ...rest }: Props) {
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
        {(comments) => <CommentList comments={comments} {...rest} fallback={<Skeleton height={120} />} />}
      </QueryBoundary>
    </>
  );
}
