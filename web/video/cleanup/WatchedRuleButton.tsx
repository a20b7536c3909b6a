import { IconRecycle } from '@tabler/icons-react';
import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import type { RuleConditions } from './watched-rule.ts';

const WatchedRuleDialog = lazyComponent(async () => (await import('./WatchedRuleDialog.tsx')).WatchedRuleDialog);

interface Props {
  label: string;
  conditions?: RuleConditions | undefined;
  channel?: string | undefined;
  /** Accessible name, if the label alone is ambiguous. */
  name?: string;
}

/** Opens the rule for watched videos with its preview. */
export function WatchedRuleButton({ label, conditions, channel, name }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="s" icon={<IconRecycle aria-hidden />} aria-label={name} onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      {isOpen && <WatchedRuleDialog conditions={conditions} channel={channel} onClose={() => setIsOpen(false)} />}
    </>
  );
}
