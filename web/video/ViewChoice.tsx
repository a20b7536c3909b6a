import { IconLayoutGrid, IconList, IconTable } from '@tabler/icons-react';
import { Choices } from '#web/ui/Choices.tsx';
import type { ViewStyle } from './VideoListing.tsx';

const views = [
  { value: 'grid' as const, label: 'Grid', icon: <IconLayoutGrid aria-hidden /> },
  { value: 'list' as const, label: 'List', icon: <IconList aria-hidden /> },
  { value: 'table' as const, label: 'Table', icon: <IconTable aria-hidden /> },
];

/** Cards, rows or a table. */
export const ViewChoice = ({ value, onChange }: { value: ViewStyle; onChange(view: ViewStyle): void }) => (
  <Choices label="View" choices={views} value={value} onChange={onChange} isCompact />
);
