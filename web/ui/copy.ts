import { useLingui } from '@lingui/react/macro';
import { copyText } from './copy-text.ts';
import { useToast } from './toasts.tsx';

/** Copies a text with a toast; when that fails, the toast shows the text. */
export function useCopy(): (text: string, done: string) => Promise<void> {
  const { t } = useLingui();
  const showToast = useToast();
  return async (text, message) => {
    if (await copyText(text)) showToast(message);
    else showToast(t`The browser blocked copying: ${text}`, { isDanger: true });
  };
}
