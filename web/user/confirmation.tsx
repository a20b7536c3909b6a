import { useLingui } from '@lingui/react/macro';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Confirmation } from '#contract/user.ts';
import { call } from '#web/api/call.ts';
import { Field } from '#web/ui/Field.tsx';
import { accountQuery } from './queries.ts';

const confirmationQuery = queryOptions({
  queryKey: ['user', 'confirm'],
  queryFn: ({ signal }) => call('GET /api/user/confirm/', { signal }),
  staleTime: 5 * 60_000,
});

interface Props {
  by: Confirmation['by'];
  videos: number;
  typed: string;
  onType(typed: string): void;
  onEnter(): void;
}

/** Where somebody types who they are, or how many videos they are about to delete. */
export function ConfirmationField({ by, videos, typed, onType, onEnter }: Props) {
  const { t } = useLingui();
  const { data: account } = useQuery(accountQuery);
  const isPassword = by === 'password';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onEnter();
      }}
    >
      {/* Enter does nothing in a form of two fields without one. */}
      <input type="submit" hidden />
      {/* For password managers, which keep a name with what they keep. */}
      {isPassword && <input type="text" name="username" autoComplete="username" value={account?.name ?? ''} readOnly hidden />}
      <Field
        label={isPassword ? t`Your password` : t`How many videos are deleted`}
        help={
          isPassword
            ? t`Asked for because this deletes so much at once.`
            : t`Type ${videos}, because this deletes so much at once.`
        }
        {...(isPassword ? { type: 'password', autoComplete: 'current-password' } : { inputMode: 'numeric', autoComplete: 'off' })}
        value={typed}
        onChange={({ target }) => onType(target.value)}
      />
    </form>
  );
}

/** Whether what was typed can be enough. */
export const isEnough = (by: Confirmation['by'], typed: string, videos: number) =>
  by === 'password' ? typed !== '' : typed === String(videos);

/**
 * For a question before so many videos are deleted: the field for it where they are very many (`go` is what Enter does), whether
 * it may go on, and what is sent along.
 */
export function useConfirmation({ videos, bytes }: { videos: number; bytes: number }) {
  const isAnything = videos > 0;
  const { data, isError } = useQuery({ ...confirmationQuery, enabled: isAnything });
  const [typed, setTyped] = useState('');
  const isNeeded = data !== undefined && (videos > data.videos || bytes > data.media_size);
  const isReady = isNeeded ? isEnough(data.by, typed, videos) : !isAnything || data !== undefined || isError;
  return {
    isReady,
    sent: isNeeded ? { confirm: typed } : {},
    field: (go: () => void) =>
      isNeeded && (
        <ConfirmationField by={data.by} videos={videos} typed={typed} onType={setTyped} onEnter={() => isReady && go()} />
      ),
  };
}
