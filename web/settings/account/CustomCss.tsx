import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '#web/ui/Button.tsx';
import { TextArea } from '#web/ui/TextArea.tsx';
import { useDraft } from '#web/ui/use-draft.ts';
import type { useSaveConfig } from '#web/api/account.ts';
import styles from '../fields/Settings.module.css';

const example = `:root {
  --ground: #101418;
  --raised: #182028;
  --accent: #7fd1b9;
}`;

/** The user's own style sheet, applied on top of the dark theme. */
export function CustomCss({ saved, save }: { saved: string | null; save: ReturnType<typeof useSaveConfig> }) {
  const { t } = useLingui();
  const { text, setDraft } = useDraft(saved ?? '');
  return (
    <form
      className={styles.typed}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ custom_css: text.trim() || null });
      }}
    >
      <TextArea label={t`Custom CSS`} rows={8} value={text} placeholder={example} onChange={setDraft} />
      <p className={styles.description}>
        <Trans>
          Applied on top of the dark theme, only for you. If the page becomes unreadable, append <code>?theme=dark</code> to the
          address.
        </Trans>
      </p>
      {text.trim() !== (saved ?? '') && (
        <div className={styles.controls}>
          <Button type="submit" kind="primary" size="s" isBusy={save.isPending} aria-label={t`Update: Custom CSS`}>
            <Trans>Update</Trans>
          </Button>
        </div>
      )}
    </form>
  );
}
