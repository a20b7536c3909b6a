import { useLingui } from '@lingui/react/macro';
import { IconCopy } from '@tabler/icons-react';
import { Button } from '#web/ui/Button.tsx';
import { copyText } from '#web/ui/copy.ts';
import { useToast } from '#web/ui/toasts.tsx';

/** Puts a text where it can be pasted from. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { t } = useLingui();
  const say = useToast();
  // What cannot be copied stands beside the button; it may be a secret, and is not said again.
  const copy = async () => say((await copyText(text)) ? t`Copied.` : t`Copy it by hand: this page may not.`);
  return (
    <Button size="s" icon={<IconCopy aria-hidden />} aria-label={label} onClick={() => void copy()}>
      {t`Copy`}
    </Button>
  );
}
