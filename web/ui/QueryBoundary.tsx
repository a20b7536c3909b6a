import { Trans } from '@lingui/react/macro';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Callout } from './Callout.tsx';
import { Skeleton } from './Skeleton.tsx';

interface Props<T> {
  query: UseQueryResult<T>;
  /** Shown while loading; a number is the height of a placeholder. */
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
}

/** Renders the data of a query, a skeleton while loading, or the error with a retry button. */
export function QueryBoundary<T>({ query, skeleton, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isPending) return typeof skeleton === 'number' ? <Skeleton height={skeleton} /> : skeleton;
  return (
    <Callout kind="danger">
      <p>{query.error?.message}</p>
      <p>
        <Button size="s" onClick={() => void query.refetch()}>
          <Trans>Try again</Trans>
        </Button>
      </p>
    </Callout>
  );
}
