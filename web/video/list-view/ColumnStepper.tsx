import { useLingui } from '@lingui/react/macro';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import { IconButton } from '#web/ui/Button.tsx';

const [fewest, most] = [3, 7];

/** Buttons that change the number of columns. */
export function ColumnStepper({ columns, onChange }: { columns: number; onChange(columns: number): void }) {
  const { t } = useLingui();
  return (
    <>
      <IconButton label={t`Fewer columns`} disabled={columns <= fewest} onClick={() => onChange(columns - 1)}>
        <IconMinus aria-hidden />
      </IconButton>
      <output className="number" aria-label={t`${columns} columns`}>
        {columns}
      </output>
      <IconButton label={t`More columns`} disabled={columns >= most} onClick={() => onChange(columns + 1)}>
        <IconPlus aria-hidden />
      </IconButton>
    </>
  );
}
