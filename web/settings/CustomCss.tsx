import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { TextArea } from '#web/ui/TextArea.tsx';
import type { useSaveConfig } from '#web/user/queries.ts';
import styles from './Settings.module.css';

const example = `:root {
  --ground: #101418;
  --raised: #182028;
  --accent: #7fd1b9;
}`;

/** A person's own style sheet, over the colours of the dark theme. */
export function CustomCss({ saved, save }: { saved: string | null; save: ReturnType<typeof useSaveConfig> }) {
  const { t } = useLingui();
  const [text, setText] = useState(saved ?? '');
  return (
    <form
      className={styles.typed}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ custom_css: text.trim() || null });
      }}
    >
      <TextArea label={t`Your own CSS`} rows={8} value={text} placeholder={example} onChange={setText} />
      <p className={styles.words}>
        <Trans>
          It is laid over the dark theme, for you alone. If nothing can be read any more, put <code>?theme=dark</code> behind the
          address.
        </Trans>
      </p>
      {text.trim() !== (saved ?? '') && (
        <div className={styles.controls}>
          <Button type="submit" kind="primary" size="s" isBusy={save.isPending} aria-label={t`Update: Your own CSS`}>
            <Trans>Update</Trans>
          </Button>
        </div>
      )}
    </form>
  );
}
