import { useLingui } from '@lingui/react/macro';
import { Select } from '#web/ui/Field.tsx';
import { setPreferences, autoplayDelays, usePreferences } from '../state/player-preferences.ts';

/** Delay before the next video plays automatically, or off. */
export function AutoplayDelay({ onChange }: { onChange?(seconds: number): void }) {
  const { t } = useLingui();
  const seconds = usePreferences((state) => state.upNextSeconds);
  const change = (text: string) => {
    const found = autoplayDelays.find((one) => String(one) === text) ?? autoplayDelays[0];
    setPreferences({ upNextSeconds: found });
    onChange?.(found);
  };
  return (
    <Select
      label={t`Autoplay next`}
      choices={autoplayDelays.map((wait) => ({
        value: String(wait),
        label: wait === 0 ? t`Off` : t`after ${wait} s`,
      }))}
      value={String(seconds)}
      onChange={({ target }) => change(target.value)}
    />
  );
}
