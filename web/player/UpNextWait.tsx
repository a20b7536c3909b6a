import { useLingui } from '@lingui/react/macro';
import { Select } from '#web/ui/Field.tsx';
import { choose, upNextWaits, useChoices } from './choices.ts';

/** How long the next video waits before it follows by itself, or that it does not. */
export function UpNextWait({ onChange }: { onChange?(seconds: number): void }) {
  const { t } = useLingui();
  const seconds = useChoices((choices) => choices.upNextSeconds);
  const change = (text: string) => {
    const found = upNextWaits.find((one) => String(one) === text) ?? upNextWaits[0];
    choose({ upNextSeconds: found });
    onChange?.(found);
  };
  return (
    <Select
      label={t`The next one follows`}
      choices={upNextWaits.map((wait) => ({
        value: String(wait),
        label: wait === 0 ? t`when I choose it` : t`after ${wait} s`,
      }))}
      value={String(seconds)}
      onChange={({ target }) => change(target.value)}
    />
  );
}
