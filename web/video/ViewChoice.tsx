import { useLingui } from '@lingui/react/macro';
import { IconLayoutGrid, IconList, IconTable } from '@tabler/icons-react';
import { Choices } from '#web/ui/Choices.tsx';
import type { ViewStyle } from './shown.ts';

interface Props {
  value: ViewStyle;
  onChange(view: ViewStyle): void;
  /** What has no columns to compare is not shown as a table. */
  hasTable?: boolean;
}

/** Cards, rows or a table. */
export function ViewChoice({ value, onChange, hasTable = true }: Props) {
  const { t } = useLingui();
  const views = [
    { value: 'grid' as const, label: t`Grid`, icon: <IconLayoutGrid aria-hidden /> },
    { value: 'list' as const, label: t`List`, icon: <IconList aria-hidden /> },
    { value: 'table' as const, label: t`Table`, icon: <IconTable aria-hidden /> },
  ].filter((view) => hasTable || view.value !== 'table');
  return <Choices label={t`View`} choices={views} value={value} onChange={onChange} isCompact />;
}
