import { useLingui } from '@lingui/react/macro';
import { useState, type ReactNode } from 'react';
import { formatPresets } from '#contract/settings.ts';
import { Select } from '#web/ui/Field.tsx';

/** Selects a download format preset. The field for a yt-dlp format string shows only for a custom format. */
export function FormatPreset({
  label,
  help,
  note,
  problem,
  saved,
  inherited,
  save,
  children,
}: {
  label: string;
  note?: ReactNode;
  problem?: ReactNode;
  help?: ReactNode;
  /** Null: no format set. */
  saved: string | null;
  /** Label of "no format set" where that does not mean the best quality. */
  inherited?: string;
  save(format: string | null): void;
  children: ReactNode;
}) {
  const { t } = useLingui();
  const [isCustom, setIsCustom] = useState(false);
  const names = { best: t`Best quality`, '1080p': t`Up to 1080p, MP4`, '720p': t`Up to 720p, MP4`, audio: t`Audio only` };
  const known = formatPresets.filter(({ format }) => format !== null || inherited === undefined);
  const preset =
    inherited !== undefined && saved === null ? 'inherited' : formatPresets.find(({ format }) => format === saved)?.name;
  const value = isCustom || preset === undefined ? 'custom' : preset;
  return (
    <>
      <Select
        label={label}
        note={note}
        problem={problem}
        help={help}
        value={value}
        choices={[
          ...(inherited === undefined ? [] : [{ value: 'inherited', label: inherited }]),
          ...known.map(({ name }) => ({ value: name, label: names[name] })),
          { value: 'custom', label: t`Custom…` },
        ]}
        onChange={({ target }) => {
          setIsCustom(target.value === 'custom');
          if (target.value !== 'custom') save(formatPresets.find(({ name }) => name === target.value)?.format ?? null);
        }}
      />
      {value === 'custom' && children}
    </>
  );
}
