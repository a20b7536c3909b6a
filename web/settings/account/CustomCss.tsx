import { Trans, useLingui } from '@lingui/react/macro';
import type { useSaveConfig } from '#web/api/account.ts';
import { AutoSaveField } from '#web/ui/AutoSaveField.tsx';

const example = `:root {
  --ground: #101418;
  --raised: #182028;
  --accent: #7fd1b9;
}`;

/** The user's own style sheet, applied on top of the dark theme. */
export function CustomCss({ saved, save }: { saved: string | null; save: ReturnType<typeof useSaveConfig> }) {
  const { t } = useLingui();
  return (
    <AutoSaveField
      label={t`Custom CSS`}
      help={
        <Trans>
          Applied on top of the dark theme, only for you. If the page becomes unreadable, append <code>?theme=dark</code> to the
          address.
        </Trans>
      }
      saved={saved ?? ''}
      format={(text) => text}
      parse={(text) => text.trim()}
      save={(text) => save.mutateAsync({ custom_css: text || null })}
      lines={8}
      placeholder={example}
    />
  );
}
