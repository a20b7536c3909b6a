import { useLingui } from '@lingui/react/macro';
import { call } from '#web/api/call.ts';
import { useAction } from '#web/confirm/use-action.ts';
import { useToast } from '#web/ui/toasts.tsx';

/** Has the chat of a stream fetched in the background. */
export function useFetchChat(id: string) {
  const { t } = useLingui();
  const showToast = useToast();
  return useAction(() => call('POST /api/video/:id/chat/', { params: { id } }), {
    onSuccess: () => showToast(t`The chat is being fetched.`),
  });
}
