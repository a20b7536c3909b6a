import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import type { Playlist } from '#contract/playlist.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Select } from '#web/ui/Field.tsx';
import { useToast } from '#web/ui/toasts.tsx';

/** How new entries of a subscribed playlist are handled. */
export function NewEntries({ playlist }: { playlist: Playlist }) {
  const { t } = useLingui();
  const showToast = useToast();
  const { playlist_id: id, playlist_auto_start: saved } = playlist;
  const save = useMutation({
    mutationFn: (playlist_auto_start: boolean | null) =>
      call('POST /api/playlist/:id/', { params: { id }, body: { playlist_auto_start } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['playlist'] }),
    onError: (error) => showToast(error.message, { isDanger: true }),
  });
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
