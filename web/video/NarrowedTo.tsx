import { useLingui } from '@lingui/react/macro';
import { IconX } from '@tabler/icons-react';
import { dayText } from '#web/format/dates.ts';
import { Button } from '#web/ui/Button.tsx';
import type { Filter } from './filter-address.ts';

function useWords() {
  const { t } = useLingui();
  return ({ downloaded_from: from, downloaded_to: to, awkward }: Filter) => [
    ...(from && from === to ? [t`Came on ${dayText(from)}`] : []),
    ...(from && from !== to ? [t`Came on ${dayText(from)} or later`] : []),
    ...(to && from !== to ? [t`Came on ${dayText(to)} or before`] : []),
    ...(awkward === 'pack' ? [t`In files that iPhones do not open`] : []),
    ...(awkward === 'fetch' ? [t`In formats that not every iPhone plays`] : []),
  ];
}

/** Says what a list is narrowed to, and lets go of it. */
export function NarrowedTo({ narrowed, onWiden }: { narrowed: Filter; onWiden(): void }) {
  const { t } = useLingui();
  const words = useWords()(narrowed).join(' · ');
  return (
    <Button size="s" icon={<IconX aria-hidden />} onClick={onWiden} title={t`Show everything`}>
      {words}
    </Button>
  );
}
