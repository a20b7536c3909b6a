import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Note } from '#web/ui/Note.tsx';
import { TextArea } from '#web/ui/TextArea.tsx';
import { useConfig, useSaveConfig } from '#web/user/queries.ts';

const example = `:root {
  --ground: #101418;
  --raised: #182028;
  --accent: #7fd1b9;
}`;

/** Where a person writes a theme of their own: CSS over the variables, for themselves alone. */
export function OwnTheme({ onClose }: { onClose(): void }) {
  const { t } = useLingui();
  const config = useConfig();
  const save = useSaveConfig();
  const [css, setCss] = useState(config?.custom_css ?? example);
  return (
    <Dialog title={t`Your own theme`} onClose={onClose}>
      <p>
        <Trans>
          CSS that is laid over the dark theme, for you alone. If nothing can be read any more, put <code>?theme=dark</code>{' '}
          behind the address.
        </Trans>
      </p>
      <TextArea label={t`CSS`} rows={10} value={css} onChange={setCss} />
      {save.isError && <Note kind="danger">{save.error.message}</Note>}
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button
          kind="primary"
          isBusy={save.isPending}
          onClick={() => save.mutate({ stylesheet: 'custom.css', custom_css: css.trim() || null }, { onSuccess: onClose })}
        >
          <Trans>Save and show</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}
