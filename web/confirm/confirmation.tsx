import { useLingui } from '@lingui/react/macro';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Confirmation } from '#contract/user.ts';
import { call } from '#web/api/call.ts';
import { Form } from '#web/ui/Form.tsx';
import { Field } from '#web/ui/Field.tsx';
import { accountQuery } from '#web/api/account.ts';

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

/** Asks for the password, or for the number of videos to delete. */
export function ConfirmationField({ by, videos, typed, onType, onEnter }: Props) {
  const { t } = useLingui();
  const { data: account } = useQuery(accountQuery);
  const isPassword = by === 'password';
  return (
    <Form onSubmit={onEnter}>
      {/* Enter does nothing in a form of two fields without one. */}
      <input type="submit" hidden />
      {/* For password managers, which keep a name with what they keep. */}
      {isPassword && <input type="text" name="username" autoComplete="username" value={account?.name ?? ''} readOnly hidden />}
      <Field
        label={isPassword ? t`Your password` : t`Number of videos to delete`}
        help={
          isPassword
            ? t`Required because this deletes many videos at once.`
            : t`Type ${videos} to confirm. This deletes many videos at once.`
        }
        {...(isPassword ? { type: 'password', autoComplete: 'current-password' } : { inputMode: 'numeric', autoComplete: 'off' })}
        value={typed}
        onChange={({ target }) => onType(target.value)}
      />
    </Form>
  );
}

/** Whether the input can be submitted. */
export const isConfirmed = (by: Confirmation['by'], typed: string, videos: number) =>
  by === 'password' ? typed !== '' : typed === String(videos);

/**
 * Confirmation for deleting many videos: the input field when the server requires one (`go` runs on Enter), whether the
 * deletion may start, and the parameter to send.
 */
export function useConfirmation({ videos, bytes }: { videos: number; bytes: number }) {
  const hasVideos = videos > 0;
  const { data, isError } = useQuery({ ...confirmationQuery, enabled: hasVideos });
  const [typed, setTyped] = useState('');
  const isNeeded = data !== undefined && (videos > data.videos || bytes > data.media_size);
  const isReady = isNeeded ? isConfirmed(data.by, typed, videos) : !hasVideos || data !== undefined || isError;
  return {
    isReady,
    sent: isNeeded ? { confirm: typed } : {},
    field: (go: () => void) =>
      isNeeded && (
        <ConfirmationField by={data.by} videos={videos} typed={typed} onType={setTyped} onEnter={() => isReady && go()} />
      ),
  };
}
