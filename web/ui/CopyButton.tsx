import { useLingui } from '@lingui/react/macro';
import { IconCopy } from '@tabler/icons-react';
import { Button } from '#web/ui/Button.tsx';
import { copyText } from '#web/ui/copy-text.ts';
import { useToast } from '#web/ui/toasts.tsx';

/** Copies a text to the clipboard. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { t } = useLingui();
  const showToast = useToast();
  // The text is visible next to the button and may be a secret, so the toast does not repeat it.
  const copy = async () =>
    showToast((await copyText(text)) ? t`Copied.` : t`The browser blocked copying. Select the text and copy it yourself.`);
  return (
    <Button size="s" icon={<IconCopy aria-hidden />} aria-label={label} onClick={() => void copy()}>
      {t`Copy`}
    </Button>
  );
}
