import { useLingui } from '@lingui/react/macro';
import { useToast } from './toasts.tsx';

/** Puts a text where it can be pasted from. False when the browser does not let us; over plain HTTP none does. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Copies a text and says so; where that cannot be, shows it, to be copied by hand. */
export function useCopy(): (text: string, done: string) => Promise<void> {
  const { t } = useLingui();
  const say = useToast();
  return async (text, done) => {
    if (await copyText(text)) say(done);
    else say(t`The browser did not let it be copied: ${text}`, { isDanger: true });
  };
}
