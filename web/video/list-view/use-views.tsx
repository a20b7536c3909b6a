import { useLingui } from '@lingui/react/macro';
import { IconLayoutGrid, IconList, IconTable } from '@tabler/icons-react';

/** The views of a list with their labels and icons. */
export function useViews() {
  const { t } = useLingui();
  return [
    { value: 'grid' as const, label: t`Grid`, icon: <IconLayoutGrid aria-hidden /> },
    { value: 'list' as const, label: t`List`, icon: <IconList aria-hidden /> },
    { value: 'table' as const, label: t`Table`, icon: <IconTable aria-hidden /> },
  ];
}
