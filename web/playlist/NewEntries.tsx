import { useAction } from '#web/confirm/use-action.ts';
import { useLingui } from '@lingui/react/macro';
import type { Playlist } from '#contract/playlist.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Select } from '#web/ui/Field.tsx';

/** How new entries of a subscribed playlist are handled. */
export function NewEntries({ playlist }: { playlist: Playlist }) {
  const { t } = useLingui();
  const { playlist_id: id, playlist_auto_start: saved } = playlist;
  const save = useAction(
    (playlist_auto_start: boolean | null) => call('POST /api/playlist/:id/', { params: { id }, body: { playlist_auto_start } }),
    { onSettled: () => queryClient.invalidateQueries({ queryKey: ['playlist'] }) },
  );
  const current = save.isPending ? save.variables : saved;
  return (
    <Select
      label={t`New entries`}
      value={String(current ?? '')}
      choices={[
        { value: '', label: t`Default` },
        { value: 'true', label: t`Download automatically` },
        { value: 'false', label: t`Only list in the queue` },
      ]}
      onChange={({ target }) => save.mutate(target.value === '' ? null : target.value === 'true')}
    />
  );
}
