import { useMutation, type UseMutationOptions } from '@tanstack/react-query';
import { useToast } from '#web/ui/toasts.tsx';
import type { Attempt } from './confirmation-types.ts';
import { useWithConfirmation } from './ReauthProvider.tsx';

type Confirm = Parameters<Attempt<unknown>>[0];

/**
 * A change that a button makes: what the server wants confirmed is asked, and a failure is shown as a toast. For forms that show
 * their failures next to a field, use `useMutation`.
 */
export function useAction<Input = void, Result = unknown>(
  run: (input: Input, confirm: Confirm) => Promise<Result>,
  options?: Omit<UseMutationOptions<Result, Error, Input>, 'mutationFn' | 'onError'>,
) {
  const showToast = useToast();
  const withConfirmation = useWithConfirmation();
  return useMutation({
    ...options,
    mutationFn: (input: Input) => withConfirmation((confirm) => run(input, confirm)),
    onError: (error) => showToast(error.message, { isDanger: true }),
  });
}
