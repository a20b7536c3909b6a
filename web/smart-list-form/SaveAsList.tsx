import { useLingui } from '@lingui/react/macro';
import { IconListSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { serializeFilter, type Filter } from '#web/api/queries/video-filter.ts';
import { ListForm } from './ListForm.tsx';
import { useCreateList } from '#web/api/queries/smart-list.ts';

/** Saves the current filter as a smart list, and opens it. */
export function SaveAsList({ filter, onCreated }: { filter: Filter; onCreated(): void }) {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  const create = useCreateList({ onCreated });
  return (
    <>
      <Button size="s" icon={<IconListSearch aria-hidden />} onClick={() => setIsOpen(true)}>
        {t`Save as smart list`}
      </Button>
      {isOpen && (
        <ListForm
          title={t`Save as smart list`}
          isBusy={create.isPending}
          error={create.error}
          onSave={(name, is_shared) =>
            create.mutate({ name, filter: serializeFilter(filter), is_shared }, { onSuccess: () => setIsOpen(false) })
          }
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
