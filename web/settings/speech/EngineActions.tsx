import { Trans, useLingui } from '@lingui/react/macro';
import type { Speech } from '#contract/speech.ts';
import { useAction } from '#web/confirm/use-action.ts';
import { ActionRow } from '#web/ui/ActionRow.tsx';
import { Button } from '#web/ui/Button.tsx';
import { useToast } from '#web/ui/toasts.tsx';

type Action = 'install' | 'rollback';

/** Buttons that install or update an engine, or roll it back; none if the operator has configured one. */
export function EngineActions({ engine, onAct }: { engine: Speech['engine']; onAct(action: Action): Promise<unknown> }) {
  const { t } = useLingui();
  const showToast = useToast();
  const change = useAction(onAct, {
    onSuccess: (_, action) => showToast(action === 'install' ? t`Installation started.` : t`Rolled back.`),
  });
  const canInstall = engine.version === null || engine.has_update;
  if (engine.is_configured || (!canInstall && !engine.previous)) return null;
  return (
    <ActionRow>
      {canInstall && (
        <Button size="s" isBusy={change.isPending} onClick={() => change.mutate('install')}>
          {engine.version === null ? <Trans>Install</Trans> : <Trans>Update</Trans>}
        </Button>
      )}
      {engine.previous && (
        <Button size="s" isBusy={change.isPending} onClick={() => change.mutate('rollback')}>
          <Trans>Roll back to {engine.previous}</Trans>
        </Button>
      )}
    </ActionRow>
  );
}
