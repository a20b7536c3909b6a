import { useLingui } from '@lingui/react/macro';
import { Dialog } from '#web/ui/Dialog.tsx';
import { SourceRules } from './SourceRules.tsx';

/** Download rules of a playlist, in a dialog. */
export function RulesDialog({ id, name, onClose }: { id: string; name: string; onClose(): void }) {
  const { t } = useLingui();
  return (
    <Dialog title={t`Download rules: ${name}`} onClose={onClose}>
      <SourceRules source={{ type: 'playlist', id }} />
    </Dialog>
  );
}
