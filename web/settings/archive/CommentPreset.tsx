import { useLingui } from '@lingui/react/macro';
import { useState, type ReactNode } from 'react';
import { Select } from '#web/ui/Field.tsx';

/** Chooses how many comments are downloaded. The field for yt-dlp’s four numbers shows only for a custom choice. */
export function CommentPreset({
  label,
  note,
  problem,
  saved,
  save,
  children,
}: {
  label: string;
  note?: ReactNode;
  problem?: ReactNode;
  saved: string | null;
  save(value: string | null): void;
  children: ReactNode;
}) {
  const { t } = useLingui();
  const [isCustom, setIsCustom] = useState(false);
  const presets = [
    { value: '', label: t`None` },
    { value: '100,all,all,all', label: t`Up to 100, with replies` },
    { value: '1000,all,all,all', label: t`Up to 1,000, with replies` },
    { value: '100,all,0,0', label: t`Up to 100, without replies` },
    { value: 'all,all,all,all', label: t`All (slow)` },
  ];
  const stored = (saved ?? '').replaceAll(' ', '');
  const value = isCustom || !presets.some((preset) => preset.value === stored) ? 'custom' : stored;
  return (
    <>
      <Select
        label={label}
        note={note}
        problem={problem}
        value={value}
        choices={[...presets, { value: 'custom', label: t`Custom…` }]}
        onChange={({ target }) => {
          setIsCustom(target.value === 'custom');
          if (target.value !== 'custom') save(target.value || null);
        }}
      />
      {value === 'custom' && children}
    </>
  );
}
