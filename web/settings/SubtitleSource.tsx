import { useLingui } from '@lingui/react/macro';
import type { Settings } from '#contract/settings.ts';
import { Switch } from '#web/ui/Field.tsx';
import { useShowsHelp } from '#web/user/queries.ts';
import { useSaveSetting } from './setting-queries.ts';

/** Automatic captions as well, or written ones alone; only once a language is set. */
export function SubtitleSource({ all }: { all: Settings }) {
  const { t } = useLingui();
  const withHelp = useShowsHelp();
  const save = useSaveSetting('downloads', 'subtitle_source');
  if (!all.downloads.subtitle) return null;
  return (
    <Switch
      label={t`Automatic captions too`}
      {...(withHelp && { help: t`Where nobody has written any.` })}
      isOn={save.shown(all.downloads.subtitle_source) === 'auto'}
      onChange={(isOn) => save.mutate(isOn ? 'auto' : 'user')}
    />
  );
}
