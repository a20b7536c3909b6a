import { useLingui } from '@lingui/react/macro';
import { IconListSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { keptOf, type Filter } from '#web/video/filter-address.ts';
import { ListForm } from './ListForm.tsx';
import { useKeepList } from './queries.ts';

/** Keeps what a list shows now, as a list of its own. */
export function SaveAsList({ filter }: { filter: Filter }) {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  const keep = useKeepList();
  return (
    <>
      <Button size="s" icon={<IconListSearch aria-hidden />} onClick={() => setIsOpen(true)}>
        {t`Save as smart list`}
      </Button>
      {isOpen && (
        <ListForm
          title={t`Save as smart list`}
          isBusy={keep.isPending}
          error={keep.error}
          onSave={(name, is_shared) =>
            keep.mutate({ name, filter: keptOf(filter), is_shared }, { onSuccess: () => setIsOpen(false) })
          }
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
