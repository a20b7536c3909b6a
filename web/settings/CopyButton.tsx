import { useLingui } from '@lingui/react/macro';
import { IconCopy } from '@tabler/icons-react';
import { Button } from '#web/ui/Button.tsx';
import { useToast } from '#web/ui/toasts.tsx';

/** Puts a text where it can be pasted from. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { t } = useLingui();
  const say = useToast();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      say(t`Copied.`);
    } catch {
      say(t`Copy it by hand: this page may not.`);
    }
  };
  return (
    <Button size="s" icon={<IconCopy aria-hidden />} aria-label={label} onClick={() => void copy()}>
      {t`Copy`}
    </Button>
  );
}
