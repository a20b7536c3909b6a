import { Trans } from '@lingui/react/macro';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Note } from './Note.tsx';

interface Props<T> {
  query: UseQueryResult<T>;
  /** The shape of what is to come. */
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
}

/** What was asked for: its shape while it is on its way, a sentence and a way on when it does not come. */
export function Loaded<T>({ query, skeleton, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isPending) return skeleton;
  return (
    <Note kind="danger">
      <p>{query.error?.message}</p>
      <p>
        <Button size="s" onClick={() => void query.refetch()}>
          <Trans>Try again</Trans>
        </Button>
      </p>
    </Note>
  );
}
